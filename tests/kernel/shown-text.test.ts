// Whatever text comes from outside: what is shown of it steers no terminal and turns no page around.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { shownLine, shownText } from "../../src/kernel/shown-text.ts";

/** Controls but tab and line feed, line separators, and what embeds, overrides or isolates a direction. */
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const textArbitrary = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0x2000, max: 0x2070 }).map((code) => String.fromCharCode(code)),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => pieces.join(""));

describe("any text", () => {
  test("holds nothing harmful when it is shown, and is the same when it is shown again", () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        expect(shownText(text)).not.toMatch(HARMFUL);
        expect(shownText(shownText(text))).toBe(shownText(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test("stays on one line where one is meant", () => {
    fc.assert(
      fc.property(textArbitrary, (text) => {
        expect(shownLine(text)).not.toMatch(/[\n\t]/);
        expect(shownLine(text)).not.toMatch(HARMFUL);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("line ends of every kind are line ends, and what reorders is left out", () => {
  expect(shownText("a\r\nb\rc\u0085d\u2028e\ff")).toBe("a\nb\nc\nd\ne\nf");
  expect(shownText("pay \u202eEUR 01\u202c now\u2066!\u2069")).toBe("pay EUR 01 now!");
  expect(shownLine(" a\r\n\tb  c ")).toBe("a b c");
});

test("controls are seen, and marks that right-to-left texts need stay", () => {
  expect(shownText("\u001b[31mred\u009b0m\u0000")).toBe("\uFFFD[31mred\uFFFD0m\uFFFD");
  expect(shownText("\u05d0\u200f! \u200ea \u061c1")).toBe("\u05d0\u200f! \u200ea \u061c1");
  expect(shownText("tab\tand é, 日本, 👍🏽, e\u0301")).toBe("tab\tand é, 日本, 👍🏽, e\u0301");
});
