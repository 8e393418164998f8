// Tests of the context of a quote: whole sentences, items and column names, without headings.
import { expect, test } from "bun:test";
import { inContext, shownContext } from "../../../src/drivers/verdicts/quote-context.ts";
import { digestOfBytes } from "../../../src/kernel/digest.ts";

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
  ["86 EUR", "| sensor | 1 to 49 | from 50 |", "| 79 EUR |"],
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
