// Passages begin before the term of an entry, not behind it, and cut none that fits.
import { describe, expect, test } from "bun:test";
import type { Format } from "../../src/corpus/formats/formats.ts";
import { Anchors } from "../../src/corpus/blocks/anchors.ts";
import { MAX_PASSAGE_LENGTH } from "../../src/corpus/blocks/entries.ts";
import { passagesOf } from "../../src/corpus/blocks/passages.ts";
import { sentencesOf } from "../../src/kernel/sentences.ts";

const passagesIn = (text: string, format: Format): string[] =>
  [...passagesOf(text, format)].map(({ start, end }) => text.slice(start, end));
const filler = (length: number): string =>
  "It says what the word means. ".repeat(Math.ceil(length / 29)).slice(0, length);

describe("an entry is cut before its term", () => {
  const entryOf = {
    "bold and a colon": (name: string) => `**${name}**: ${filler(300)}\n\n${filler(300)}`,
    "an item with code and a dash": (name: string) => `- \`${name}\` - ${filler(300)}\n\n  ${filler(300)}`,
    "bold on a line of its own": (name: string) => `**${name}**\n${filler(300)}\n\n${filler(300)}`,
    "a term with two definitions": (name: string) => `${name}\n: ${filler(300)}\n: ${filler(300)}`,
  };
  test.each(Object.entries(entryOf))("%s", (_, entry) => {
    const names = ["anchor", "beacon", "compass", "draught"];
    const found = passagesIn(`${filler(500)}\n\n${names.map(entry).join("\n\n")}\n`, "markdown");
    for (const name of names) {
      const at = found.findIndex((passage) => passage.includes(name));
      expect(found[at]?.indexOf(entry(name).trim())).toBeGreaterThanOrEqual(0);
    }
    for (const passage of found) expect(passage.length).toBeLessThanOrEqual(MAX_PASSAGE_LENGTH);
  });

  test("a keyword at the margin above indented text is a passage of its own, whole", () => {
    const entry = (name: string): string =>
      `${name} <time>\n  Sets the ${name}.\n\n  Arguments :\n    <time> is in seconds.\n\n  It may be left out.`;
    const text = `Keywords\n========\n\n${["drain", "flush", "hold"].map(entry).join("\n\n")}\n\nAn end at the margin.\n`;
    expect(passagesIn(text, "plain")).toEqual([
      entry("drain"),
      entry("flush"),
      `${entry("hold")}\n\nAn end at the margin.`,
    ]);
  });

  test("an entry that is too long is cut, and the next one begins whole", () => {
    const long = `**anchor**: ${filler(900)}\n\n${filler(900)}\n\n${filler(500)}`;
    const found = passagesIn(`${long}\n\n**beacon**: ${filler(200)}\n\n${filler(500)}`, "markdown");
    expect(found.at(-1)).toStartWith("**beacon**");
    expect(found.join("\n\n")).toContain(long.slice(0, 900));
  });
});

describe("in plain text, what is indented below a term has it in its heading path", () => {
  const wrapped = (indent: number, paragraphs: number): string =>
    Array.from({ length: paragraphs }, () => `${" ".repeat(indent)}It turns the wheel\n`.repeat(30)).join("\n");
  const pathsIn = (text: string): Map<string, string[]> =>
    new Map(
      [...passagesOf(text, "plain")].map(({ start, headings }) => [
        text.slice(text.lastIndexOf("\n", start) + 1, text.indexOf("\n", start)).trimEnd(),
        headings,
      ]),
    );

  test("as of a manual page, down to the next term", () => {
    const option = (name: string, said: string): string =>
      `       -${name}, --${name}le <n>\n${wrapped(14, 3)}\n              ${said}\n`;
    const text = `NAME\n       mill - turns\n\nOPTIONS\n       These are known:\n\n${option("a", "Last of a.")}\n${option("b", "Last of b.")}\nBUGS\n       None is known.\n`;
    for (const spaced of [text, text.replaceAll(" ".repeat(14), "\t      ")]) {
      const anchors = new Anchors(spaced, "mill.txt");
      const at = (words: string): string[] | undefined => anchors.at(spaced.indexOf(words))?.section;
      expect([at("Last of a."), at("Last of b."), at("None is known")]).toEqual([
        ["OPTIONS", "-a, --ale <n>"],
        ["OPTIONS", "-b, --ble <n>"],
        undefined,
      ]);
      const paths = [...passagesOf(spaced, "plain")].map(({ headings }) => headings.join(" > "));
      expect(new Set(paths)).toEqual(new Set(["", "OPTIONS", "OPTIONS > -a, --ale <n>", "OPTIONS > -b, --ble <n>"]));
    }
  });

  test("also inside of one block that is cut", () => {
    const [first = "", second = ""] = pathsIn(
      `timeout client <n>\n${wrapped(2, 1)}${wrapped(2, 1)}${wrapped(2, 1)}`,
    ).keys();
    expect([first, second]).toEqual(["timeout client <n>", "  It turns the wheel"]);
    expect([...pathsIn(`timeout client <n>\n${wrapped(2, 1)}${wrapped(2, 1)}${wrapped(2, 1)}`).values()]).toEqual([
      [],
      ["timeout client <n>"],
    ]);
  });

  test("no sentence, no first line of a paragraph and no item is a term", () => {
    for (const line of ["The mill turns.", "Arguments:", `A line ${"that is long ".repeat(10)}`, "- an item"])
      for (const path of pathsIn(`Of mills,\nof old.\n\n${line}\n\n${wrapped(4, 5)}`).values())
        expect(path).toEqual([]);
    for (const path of pathsIn(`Of mills,\nof old.\n\n    Of old the mill\nstood here\n\n${wrapped(0, 5)}`).values())
      expect(path).toEqual([]);
  });
});

describe("front matter", () => {
  test("only its title is read", () => {
    for (const end of ["\n", "\r\n"])
      expect(
        passagesIn(["---", "title: Masts", "tags: wood", "mode: center", "---", "Oak is hard."].join(end), "markdown"),
      ).toEqual(["Oak is hard."]);
    const [only] = passagesOf("---\ntitle: Masts\ntags: wood\n---\n\nOak.", "markdown");
    expect(only?.headings).toEqual(["Masts"]);
  });

  test("a rule at the top that no other one follows begins none", () => {
    expect(passagesIn("---\nOak is hard.\n\nElm is not.\n", "markdown")).toEqual(["Oak is hard.\n\nElm is not."]);
  });
});

test("a stop in the target of a link ends no sentence", () => {
  const text = "See [the masts](./MASTS.md) and [the sails](../Sails.md) for more. Then go on.";
  expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    text.slice(0, -12),
    "Then go on.",
  ]);
});
