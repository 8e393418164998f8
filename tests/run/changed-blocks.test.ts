// Blocks with other statements: what is left, and how lists of steps count.
import { describe, expect, test } from "bun:test";
import { blocksWith } from "../../src/run/report/changed-blocks.ts";
import type { Block } from "../../src/run/report/report.ts";

const without =
  (...gone: string[]) =>
  (id: string): string[] =>
    gone.includes(id) ? [] : [id];

function steps(ids: string[], start?: number): Block {
  const items = ids.map((id) => ({ statements: [id] }));
  return { kind: "list", ordered: true, ...(start === undefined ? {} : { start }), items };
}

const CODE: Block = { kind: "code", text: "mkfs /dev/md0", statement: "c" };

describe("steps that continue counting behind something else", () => {
  const page: Block[] = [steps(["a", "b"]), CODE, steps(["d"], 3), CODE, steps(["e", "f"], 4)];
  const startsWithout = (...gone: string[]): (number | undefined)[] =>
    blocksWith(page, { ids: without(...gone) }).flatMap((block) => (block.kind === "list" ? [block.start] : []));

  test("count on from what is left of those before them", () => {
    expect(startsWithout("a")).toEqual([undefined, 2, 3]);
    expect(startsWithout("d")).toEqual([undefined, 3]);
    expect(startsWithout("a", "b")).toEqual([undefined, 2]);
    expect(startsWithout("a", "b", "d")).toEqual([undefined]);
  });

  test("control: where nothing before them goes they stay as they are", () => {
    expect(blocksWith(page, { ids: without() })).toEqual(page);
    expect(startsWithout("f")).toEqual([undefined, 3, 4]);
  });

  test("of another section count for themselves", () => {
    const heading: Block = { kind: "heading", level: 2, text: "Another" };
    const [first, , second] = [steps(["a", "b"]), CODE, steps(["d"], 3)];
    expect(blocksWith([first, heading, second], { ids: without("a") }).at(-1)).toEqual(second);
  });
});

describe("a table", () => {
  const table: Block = {
    kind: "table",
    caption: "Prices",
    columns: ["Plan", "Price"],
    rows: [
      ["Small", ["a"]],
      ["Large", ["b"]],
      ["Other", "–"],
    ],
  };

  test("loses the row that loses its statements, and no row that had none", () => {
    expect(blocksWith([table], { ids: without("a") })).toEqual([
      {
        ...table,
        rows: [
          ["Large", ["b"]],
          ["Other", "–"],
        ],
      },
    ]);
  });

  test("loses a row that has neither a statement nor a name", () => {
    const bare = { ...table, rows: [...table.rows, ["–", "–"]] };
    expect(blocksWith([bare], { ids: without() })).toEqual([table]);
    const unnamed = (text: string): string => (text === "Other" ? "" : text);
    expect(blocksWith([table], { ids: without(), label: unnamed })).toEqual([
      { ...table, rows: table.rows.slice(0, 2) },
    ]);
  });

  test("goes with the last of its statements", () => {
    expect(blocksWith([table], { ids: without("a", "b") })).toEqual([]);
  });
});
