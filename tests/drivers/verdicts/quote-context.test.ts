// Tests of the context of a quote: whole sentences, items and column names, without headings.
import { describe, expect, test } from "bun:test";
import { inContext, shownContext } from "../../../src/drivers/verdicts/quote-context.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { given } from "../../../src/kernel/given.ts";
import type { Anchor } from "../../../src/run/report/source.ts";

const TEXT = `# Kestrel

It is sold by the piece. Prices hold for 2031.

| sensor | 1 to 49 | from 50 |
| ------ | ------- | ------- |
| KT-4   | 86 EUR  | 79 EUR  |
| KH-2   | 64 EUR  | 60 EUR  |

## Terms

- Shipping is free. Delivery takes 5 weeks.
- The warranty is 3 years.

Orders are binding.

1. Write the order.
2. Pay for it.
`;

test.each([
  ["Prices hold for 2031.", "It is sold by the piece.", "| sensor | 1 to 49 | from 50 |"],
  ["| KH-2   | 64 EUR  | 60 EUR  |", "| sensor | 1 to 49 | from 50 |", ""],
  ["86 EUR", "", "| 79 EUR |"],
  ["| sensor | 1 to 49 | from 50 |", "Prices hold for 2031.", "| KT-4 | 86 EUR | 79 EUR |"],
  ["The warranty is 3 years.", "Delivery takes 5 weeks.", "Orders are binding."],
  ["It is sold by the piece.", "", "Prices hold for 2031."],
  ["Write the order.", "Orders are binding.", "Pay for it."],
])("beside %s", async (text, before, after) => {
  const start = Buffer.byteLength(TEXT.slice(0, TEXT.indexOf(text)));
  const quote = { source_digest: digestOfBytes(TEXT), start, end: start + Buffer.byteLength(text), text };
  const tools = { sourceText: async () => Buffer.from(TEXT), signal: new AbortController().signal };
  const [context] = await inContext([{ quote }], [], tools);
  expect({ before: context?.before, after: context?.after }).toEqual({ before, after });
});

const CSV = `sensor,"1 to 49","from 50",note
KT-4,86 EUR,79 EUR,"sold ""as is"", no
return"
"KH-2, wide",64 EUR,60 EUR,
`;
const PRICES: Anchor = { columns: ["sensor", "1 to 49", "from 50", "note"], delimiter: "," };

describe("a quote from inside of a row comes with the first cell of the row and the names of its columns", () => {
  const shownIn = async (text: string, words: string, anchor?: Anchor) => {
    const start = Buffer.byteLength(text.slice(0, text.indexOf(words)));
    const quote = { source_digest: digestOfBytes(text), start, end: start + Buffer.byteLength(words), text: words };
    const tools = { sourceText: async () => Buffer.from(text), signal: new AbortController().signal };
    const [context] = await inContext([{ quote: { ...quote, ...given({ anchor }) } }], [], tools);
    if (context === undefined) throw new Error("no context");
    const { row, column, before } = shownContext(context);
    return { row, column, before };
  };

  test.each([
    ["86 EUR", "KT-4", "1 to 49"],
    ["79 EUR  |", "KT-4", "from 50"],
    ["86 EUR  | 79 EUR", "KT-4", "1 to 49 | from 50"],
    ["| 60 EUR  |", "KH-2", "from 50"],
    ["86 EUR  | 79 EUR  |\n| KH-2   | 64 EUR", "KT-4", "1 to 49 | from 50"],
  ])("Markdown: %s", async (words, row, column) => {
    expect(await shownIn(TEXT, words)).toEqual({ row, column, before: undefined });
  });

  test.each([
    ["86 EUR", "KT-4", "1 to 49"],
    ["64 EUR,60 EUR", "KH-2, wide", "1 to 49 | from 50"],
    [",60 EUR", "KH-2, wide", "from 50"],
  ])("delimited cells: %s", async (words, row, column) => {
    expect(await shownIn(CSV, words, PRICES)).toEqual({ row, column, before: undefined });
  });

  test("a row from its first cell on has the names alone, and so has a part of a cell of several lines", async () => {
    const names = "| sensor | 1 to 49 | from 50 | note |";
    for (const words of ["KT-4,86 EUR", "no\nreturn", "return"])
      expect(await shownIn(CSV, words, PRICES)).toEqual({ row: undefined, column: undefined, before: names });
    expect(await shownIn(TEXT, "KH-2   | 64")).toMatchObject({
      row: undefined,
      before: "| sensor | 1 to 49 | from 50 |",
    });
  });

  test("a table without a head has no names, and a bar in a line makes no table", async () => {
    const bare = "|  |  |\n|---|---|\n| KT-4 | 86 EUR |\n";
    expect(await shownIn(bare, "86 EUR")).toEqual({ row: "KT-4", column: undefined, before: undefined });
    expect(await shownIn("Use a | b here.\nUse a | c here.", "c here.")).toMatchObject({ row: undefined });
    expect(await shownIn("| a \\| b | c |\n|---|---|\n| x \\| y | 86 EUR |\n", "86 EUR")).toEqual({
      row: "x | y",
      column: "c",
      before: undefined,
    });
  });
});

test("of a long sentence before it the last whole words are shown", async () => {
  const text = `${"It holds that ".repeat(30)}so it was. Take it.`;
  const quote = { source_digest: digestOfBytes(text), start: text.length - 8, end: text.length, text: "Take it." };
  const tools = { sourceText: async () => Buffer.from(text), signal: new AbortController().signal };
  const before = (await inContext([{ quote }], [], tools))[0]?.before ?? "";
  expect(before.length).toBeLessThanOrEqual(300);
  expect(before).toMatch(/^(It|holds|that) .*so it was\.$/u);
});

test("the headings above it are shown without the title of its document, which stands beside them", () => {
  const quote = { source_digest: digestOfBytes(TEXT), start: 0, end: 1, text: "#" };
  const shown = (heading: string[]): string | undefined =>
    shownContext({ quote, title: "Sensors", origin: "docs/sensors.md", heading, before: "", after: "" }).heading;
  expect(shown(["Sensors", "Prices", "Europe"])).toBe("Prices > Europe");
  expect(shown(["Prices", "Sensors"])).toBe("Prices > Sensors");
  expect(shown(["Sensors"])).toBeUndefined();
});
