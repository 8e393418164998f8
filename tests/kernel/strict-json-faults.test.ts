// The fault in a text that is no JSON is found at its place, and named.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { RunError } from "../../src/kernel/errors.ts";
import { parseStrictJsonText } from "../../src/kernel/strict-json.ts";
import { workedMs } from "../cpu-time.ts";

/** Null for a text that is parsed. */
function faultOf(text: string): { line: unknown; column: unknown; what: string } | null {
  try {
    parseStrictJsonText(text);
    return null;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { line, column, reason } = error.facts;
    return { line, column, what: String(reason).replace("not valid JSON: ", "") };
  }
}

function placeAt(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What JSON.parse lets through. */
const STRICTER = /^(a duplicate key|a number out of range|an integer beyond)/;

test.each<[string, string, string]>([
  ['{"a": 1,}', ",}", "a comma with nothing behind it"],
  ["[1, 2,\n]", ",\n]", "a comma with nothing behind it"],
  ["[,]", ",]", "a value or ] is expected here"],
  ['{"a" 1}', "1}", "a colon is expected here"],
  ['{"a": 1 "b": 2}', '"b"', "a comma or a closing bracket is expected here"],
  ["{a: 1}", "a: 1", "a key in double quotes or } is expected here"],
  ["{'a': 1}", "'a'", "a single quote, where JSON has double quotes"],
  ['{\n  // why\n  "a": 1}', "// why", "a comment, which JSON does not have"],
  ['{"a": tru}', "tru", "a value is expected here"],
  ['{"a": 01}', "01}", "a value is expected here"],
  ['{"a": "x\ny"}', '"x', "text in quotes that does not end, or holds a line break or a wrong escape"],
  ["{}{}", "{}", "something follows the end"],
  ['{"a": [1}', "}", "a comma or a closing bracket is expected here"],
  ["\ufeff{}", "\ufeff", "a byte order mark"],
])("%p", (text, from, what) => {
  expect(faultOf(text)).toEqual({ ...placeAt(text, text.lastIndexOf(from)), what });
});

test("a text that ends too early is at fault at its end", () => {
  for (const text of ["", "  ", "{", "[1,", '{"a":'])
    expect(faultOf(text)).toEqual({ ...placeAt(text, text.length), what: "it ends too early" });
});

test("finds a fault in all that JSON.parse refuses, and else only what strict JSON does not allow", () => {
  const letters = fc.constantFrom(..."{}[]:,\"\\ \n0129.eE+-tfnu'a/\u0001".split(""), "true", "null", '"a"', "1");
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const fault = faultOf(text);
      if (isJson(text)) expect(fault?.what ?? "a duplicate key").toMatch(STRICTER);
      else expect(fault).not.toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

test("no input takes it long", () => {
  for (const piece of ["{", "[", '"', "\\", "1", "-", ",", " ", "\n", '"\\', "1e", "[1,"]) {
    const text = piece.repeat(200_000 / piece.length);
    const before = process.cpuUsage();
    faultOf(text);
    expect(workedMs(before)).toBeLessThan(200);
  }
});

describe("strict JSON names line and column", () => {
  test.each<[string, number, number]>([
    ['{\n  "mode": "deep",\n}', 2, 17],
    ['{"a": 1,\n "a": 2}', 2, 2],
    ["[\n\n 1e400]", 3, 2],
    ['{"a": "b', 1, 7],
  ])("%p", (text, line, column) => {
    expect(faultOf(text)).toMatchObject({ line, column });
  });
});
