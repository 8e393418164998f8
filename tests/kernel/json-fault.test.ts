// The fault in a text that is no JSON is found at its place, and named.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { RunError } from "../../src/kernel/errors.ts";
import { jsonFaultOf } from "../../src/kernel/json-fault.ts";
import { parseStrictJsonText } from "../../src/kernel/strict-json.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

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
  ["{}{}", "{}", "something stands behind the end"],
  ['{"a": [1}', "}", "a comma or a closing bracket is expected here"],
  ["\ufeff{}", "\ufeff", "a byte order mark"],
])("%p", (text, from, what) => {
  expect(jsonFaultOf(text)).toEqual({ at: text.lastIndexOf(from), what });
});

test("a text that ends too early is at fault at its end", () => {
  for (const text of ["", "  ", "{", "[1,", '{"a":'])
    expect(jsonFaultOf(text)).toEqual({ at: text.length, what: "it ends too early" });
});

test("finds a fault exactly where JSON.parse refuses", () => {
  const letters = fc.constantFrom(..."{}[]:,\"\\ \n0129.eE+-tfnu'a/\u0001".split(""), "true", "null", '"a"', "1");
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      expect(jsonFaultOf(text) === null).toBe(isJson(text));
    }),
    { numRuns: 5_000 },
  );
});

test("no input takes it long", () => {
  for (const piece of ["{", "[", '"', "\\", "1", "-", ",", " ", "\n", '"\\', "1e", "[1,"]) {
    const text = piece.repeat(200_000 / piece.length);
    const startedMs = performance.now();
    jsonFaultOf(text);
    expect(performance.now() - startedMs).toBeLessThan(200);
  }
});

describe("strict JSON names line and column", () => {
  test.each<[string, number, number]>([
    ['{\n  "mode": "deep",\n}', 2, 17],
    ['{"a": 1,\n "a": 2}', 2, 2],
    ["[\n\n 1e400]", 3, 2],
    ['{"a": "b', 1, 7],
  ])("%p", (text, line, column) => {
    try {
      parseStrictJsonText(text);
      expect.unreachable();
    } catch (error) {
      expect((error as RunError).facts).toMatchObject({ line, column });
    }
  });
});
