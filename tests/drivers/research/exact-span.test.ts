// Tests that words are found when they were wrapped in another way, and that the span has the bytes of the source.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { SourceText } from "../../../src/drivers/research/exact-span.ts";
import { workedMs } from "../../cpu-time.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const spelled = (source: string, quote: string): string | undefined => {
  const all = bytes(source);
  const span = new SourceText(all).spanOf(quote);
  if (span === null) return undefined;
  const there = new TextDecoder("utf-8", { ignoreBOM: true }).decode(all.subarray(span.start, span.end));
  expect(span.text).toBe(there);
  return there;
};

test.each([
  ["a line break", "The pump\nstopped before the valve.", "stopped before the valve", "stopped before the valve"],
  ["a wrapped line", "It stopped\n   before the valve.", "stopped before the valve", "stopped\n   before the valve"],
  ["a paragraph break", "One ends.\n\nTwo begins.", "One ends. Two begins.", "One ends.\n\nTwo begins."],
  ["curly quotes", "He said “it’s ready” twice.", `said "it's ready" twice`, "said “it’s ready” twice"],
  ["straight quotes", `He said "it's ready".`, "said “it’s ready”", `said "it's ready"`],
  ["dashes", "From 5 – 10 — or so.", "5 - 10 -- or so", "5 – 10 — or so"],
  ["no-break space", "Takes 5\u00a0minutes.", "Takes 5 minutes.", "Takes 5\u00a0minutes."],
  ["a soft hyphen", "a re\u00adcovery point", "a recovery point", "a re\u00adcovery point"],
  ["quotation marks around it", "The valve is shut.", "“The valve is shut.”", "The valve is shut."],
  ["space around it", "The valve is shut.", "  The valve is shut.\n", "The valve is shut."],
  ["letters of many bytes before it", "\ufeffÄÖ 水 The valve\nis shut.", "The valve is shut.", "The valve\nis shut."],
  ["the number of an item", "7. One ends.\n8. Two begins.", "One ends. Two begins.", "One ends.\n8. Two begins."],
  ["the mark of an item", "One ends.\n  * Two begins.", "ends. Two begins.", "ends.\n  * Two begins."],
  [
    "a fence in a sentence",
    "The\n\n```\ninsert\n```\n\nis slow.",
    "The insert is slow.",
    "The\n\n```\ninsert\n```\n\nis slow.",
  ],
  ["a number that it has itself", "One ends.\n8. Two begins.", "ends. 8. Two begins.", "ends.\n8. Two begins."],
])("a quote is found in spite of %s", (_what, source, quote, found) => {
  expect(spelled(source, quote)).toBe(found);
});

test.each([
  ["another word", "The valve is shut.", "The valve is open."],
  ["a word left out", "The valve is not shut.", "The valve is shut."],
  ["another number", "It takes 50 s.", "It takes 5 s."],
  ["another case", "Never shut it.", "never shut it."],
  ["joined words", "The up date came.", "The update came."],
  ["white space alone", "The valve is shut.", " \n "],
])("a quote is not found because of %s", (_what, source, quote) => {
  expect(spelled(source, quote)).toBeUndefined();
});

test("any quote that was wrapped in another way is found with the same words", () => {
  const word = fc.constantFrom("pump", "Öl", "valve", "“", "5–6", "水", "it’s", "--");
  fc.assert(
    fc.property(fc.array(word, { minLength: 3, maxLength: 30 }), fc.nat(), fc.nat(), (words, from, length) => {
      const taken = words.slice(from % words.length).slice(0, 1 + (length % words.length));
      const quote = taken.join("\n ").replaceAll("’", "'").replaceAll("–", "-").replaceAll("“", '"');
      const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
      const found = spelled(words.join(" "), quote);
      expect(found === undefined ? null : letters(found)).toBe(letters(quote));
    }),
  );
});

test("a refusal can show the first difference", () => {
  const source = bytes("The pump stops\nbefore the valve is shut, and then it drains.");
  expect(new SourceText(source).firstDifference("The pump stops before the valve is open, and then")).toEqual({
    same: "The pump stops before the valve is ",
    source: "shut, and then it drains.",
    quote: "open, and then",
  });
  expect(new SourceText(source).firstDifference("Nothing of this stands there.")).toBeNull();
});

test("a long quote is found fast in a long source", () => {
  const source = bytes("a word – and another\n".repeat(100_000));
  const before = process.cpuUsage();
  expect(new SourceText(source).spanOf(`${"a word - and another ".repeat(90)}but`)).toBeNull();
  expect(new SourceText(source).firstDifference(`${"a word - and another ".repeat(90)}but`)?.quote).toBe("but");
  expect(workedMs(before)).toBeLessThan(5_000);
});

test("a number or a dash inside of a line is no mark, and is not left out", () => {
  expect(spelled("It is between 3 and 8. Two begins.", "between 3 and Two begins.")).toBeUndefined();
  expect(spelled("At\n-5 degrees it stops.", "At 5 degrees it stops.")).toBeUndefined();
});
