// Tests of the paragraph around a quote: where it ends, and that it is cut between words.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { paragraphAround } from "../../src/pages/html-quote.ts";

function around(text: string, quote: string): { before: string; after: string } {
  const start = Buffer.byteLength(text.slice(0, text.indexOf(quote)));
  return paragraphAround(new TextEncoder().encode(text), { start, end: start + Buffer.byteLength(quote) });
}

describe("the paragraph around a quote", () => {
  test.each([
    ["One. Two. Three.", "One. ", " Three."],
    ["Other.\n\nOne.\nTwo. Three.\n\nMore.", "One.\n", " Three."],
    ["Other.\r\n\r\nOne. Two.\r\n  \r\nMore.", "One. ", ""],
    ["Two.", "", ""],
  ])("ends at blank lines and at the ends of the text: %j", (text, before, after) => {
    expect(around(text, "Two.")).toEqual({ before, after });
  });

  test("is cut between words, with an ellipsis", () => {
    const { before, after } = around(`${"väter ".repeat(300)}Two. ${"mütter ".repeat(300)}`, "Two.");
    expect(before).toMatch(/^… (väter )+$/);
    expect(after).toMatch(/^ (mütter )+…$/);
    expect(Buffer.byteLength(before) + Buffer.byteLength(after)).toBeLessThan(1_210);
  });

  test("is in the text word for word, for any text", () => {
    const letters = fc.constantFrom("a", " ", "\n", "ä", "記", "🙂", "\r\n");
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 1_000 }), fc.nat(), fc.nat({ max: 9 }), (signs, at, length) => {
        const from = at % (signs.length + 1);
        const quote = signs.slice(from, from + length).join("");
        const [head, tail] = [signs.slice(0, from).join(""), signs.slice(from + length).join("")];
        const start = Buffer.byteLength(head);
        const bytes = new TextEncoder().encode(head + quote + tail);
        const { before, after } = paragraphAround(bytes, { start, end: start + Buffer.byteLength(quote) });
        expect(head.endsWith(before.replace(/^…/, ""))).toBe(true);
        expect(tail.startsWith(after.replace(/…$/, ""))).toBe(true);
      }),
    );
  });
});
