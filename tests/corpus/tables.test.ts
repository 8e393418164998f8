// Every row of a table brings the names of its columns, in whatever form the table is written.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { Anchors } from "../../src/corpus/blocks/anchors.ts";
import { formatOf } from "../../src/corpus/formats/formats.ts";
import { passagesOf } from "../../src/corpus/blocks/passages.ts";
import { partsOfQuote } from "../../src/pages/excerpt-parts.ts";
import { textFrom } from "./extract/texts.ts";
import { NO_ABORT, openAt, TemporaryFolder } from "./temporary-folder.ts";

/** Each passage with the names above it. */
function rowsIn(text: string, name: string): [row: string, columns: string[] | undefined][] {
  const anchors = new Anchors(text, name);
  return [...passagesOf(text, formatOf(name))].map(({ start, end, columns }) => {
    const names = anchors.at(start)?.columns;
    expect(columns !== undefined).toBe(names !== undefined);
    return [text.slice(start, end), names];
  });
}

describe("delimited text", () => {
  test.each([
    ["commas", "a.csv", "mast,height\nOak,12\nElm,9\n", ["Oak,12", "Elm,9"]],
    [
      "semicolons, CR LF and a byte order mark",
      "a.csv",
      "\uFEFFmast;height\r\nOak;12,5\r\nElm;9,5\r\n",
      ["Oak;12,5", "Elm;9,5"],
    ],
    ["tabs", "a.tsv", "mast\theight\nOak\t12\n\t9\n", ["Oak\t12", "\t9"]],
    ["quoted cells with line ends", "a.csv", 'mast,"height"\n"Oak,\nold",12\nElm,9\n', ['"Oak,\nold",12', "Elm,9"]],
    [
      "a note above",
      "a.csv",
      "Harbour masts\n\nmast,height\nOak,12\nElm,9\nAsh,7\nFir,8\n",
      ["Harbour masts", "Oak,12", "Elm,9", "Ash,7", "Fir,8"],
    ],
    ["a line for programs above", "a.csv", "sep=|\nmast|height\nOak|1,2\n", ["Oak|1,2"]],
  ])("%s", (_, name, text, rows) => {
    expect(rowsIn(text, name)).toEqual(
      rows.map((row) => [row, row === "Harbour masts" ? undefined : ["mast", "height"]]),
    );
  });

  test("years are names of columns; numbers and repeated values are none", () => {
    expect(rowsIn("mast,2019,2020\nOak,12,13\n", "a.csv")).toEqual([["Oak,12,13", ["mast", "2019", "2020"]]]);
    expect(rowsIn("12,Oak\n9,Elm\n", "a.csv").map(([, names]) => names)).toEqual([undefined, undefined]);
    expect(rowsIn("Oak,red\nElm,red\n", "a.csv").map(([, names]) => names)).toEqual([undefined, undefined]);
  });

  test("a text file is a table only when every line has as many cells", () => {
    const table = `mast\theight\twood\n${"Oak\t12\thard\n".repeat(5)}`;
    expect(rowsIn(table, "a.txt")).toHaveLength(5);
    expect(rowsIn(`${table}And so on.\n`, "a.txt")).toHaveLength(1);
    expect(rowsIn("Once, there was, a mast.\nIt was, they say, of oak.\n\nElm, oak, ash.\n", "a.txt")).toHaveLength(1);
  });
});

describe("Markdown", () => {
  test.each([
    ["without bars around", "mast | height\n--- | ---\nOak | 12\nElm | 9\n\nBehind.", ["Oak | 12", "Elm | 9"]],
    ["with bars on one side", "Above.\n\n| mast | height\n|---|---:\n| Oak | 12\n", ["| Oak | 12"]],
    ["behind a line of prose", "Above\nmast | height\n:-- | --:\nOak | 12\n", ["Oak | 12"]],
  ])("%s", (_, text, rows) => {
    const found = rowsIn(text, "a.md");
    expect(found.filter(([, names]) => names !== undefined)).toEqual(rows.map((row) => [row, ["mast", "height"]]));
    expect(found.map(([row]) => row)).not.toContain("mast | height");
  });

  test("a rule below prose without bars begins no table", () => {
    expect(rowsIn("Prose above.\n--- | ---\n", "a.md").map(([, names]) => names)).not.toContainEqual(["Prose above."]);
  });
});

describe("HTML", () => {
  const rowOf = (...cells: string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const columnsOf = async (rows: string): Promise<(string[] | undefined)[]> => {
    const text = await textFrom("html", `<html><body><h1>Masts</h1><table>${rows}</table></body></html>`);
    return rowsIn(text, "a.html").map(([, names]) => names);
  };

  test("a table without a head has no columns, and loses no row", async () => {
    const rows =
      rowOf("Oak", "It stands at the gate.") + rowOf("Elm", "It fell in the storm.") + rowOf("Ash", "It burned.");
    expect(await columnsOf(rows)).toEqual([undefined, undefined, undefined]);
  });

  test("a head is marked or bold, whatever its cells say", async () => {
    const names = ["mast", "height"];
    expect(await columnsOf(`<tr><th>mast</th><th>height</th></tr>${rowOf("Oak", "tall")}`)).toEqual([names]);
    expect(await columnsOf(rowOf("<b>mast</b>", "<strong>height</strong>") + rowOf("Oak", "tall"))).toEqual([names]);
    expect(await columnsOf(`<thead>${rowOf("mast", "height")}</thead>${rowOf("Oak", "12 m")}`)).toEqual([names]);
  });

  test("no data are a head: short parameters, numbers, bold rows, a row with its own head", async () => {
    const none = [undefined, undefined];
    expect(await columnsOf(rowOf("cx0", "the centre") + rowOf("radius0", "the radius of it"))).toEqual(none);
    expect(await columnsOf(rowOf("Oak", "12 m") + rowOf("Elm", "9 m"))).toEqual(none);
    expect(await columnsOf(rowOf("<b>Oak</b>", "<b>12</b>") + rowOf("<b>Elm</b>", "<b>9</b>"))).toEqual(none);
    const headed = (name: string): string => `<tr><th>${name}</th><td>It stands.</td></tr>`;
    expect(await columnsOf(headed("Oak") + headed("Elm"))).toEqual(none);
    expect(await columnsOf(`<thead></thead>${rowOf("Oak", "tall")}${rowOf("Elm", "small")}`)).toEqual(none);
  });
});

test("of 50,000 rows one is found by its number, and shown below the names of its columns", async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => `${at + 500_000},Mast${at},${at % 997}`);
  using folder = new TemporaryFolder({ "masts.csv": `id,mast,height\n${rows.join("\n")}\n` });
  const corpus = await openAt(folder.path);
  const [found] = await corpus.search("height of the mast with the id 527777", { limit: 1 }, NO_ABORT);
  expect(found).toMatchObject({ text: rows[27_777], columns: "id,mast,height" });
  corpus.close();
  const anchor = { columns: ["id", "mast", "height"], delimiter: "," as const };
  const quote = { source_digest: digestOfBytes("a"), start: 0, end: 1, text: "527777,Mast27777,856", anchor };
  const [part] = partsOfQuote(quote, [], "masts/masts.csv");
  expect(
    part?.kind === "table" && part.rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(""))),
  ).toEqual([
    ["id", "mast", "height"],
    ["527777", "Mast27777", "856"],
  ]);
}, 600_000);
