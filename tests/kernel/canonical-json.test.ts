// Canonical JSON as RFC 8785 has it, and what has no canonical form.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { digestOfBytes, digestOfJson } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";

describe("RFC 8785", () => {
  test("3.2.2: literals, numbers and strings are written one way", () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as unknown;
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test("3.2.3: keys are sorted by UTF-16 code units", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew",
      "1": "One",
      "\ud83d\ude00": "Emoji",
      "\u0080": "Control",
      "\u00f6": "o",
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([
      "One",
      "Carriage Return",
      "Control",
      "o",
      "Euro Sign",
      "Emoji",
      "Hebrew",
    ]);
    expect(canonicalJson(value).startsWith('{"\\r":"Carriage Return","1":"One","\u0080":')).toBe(true);
  });

  test.each<[number, string]>([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [1.7976931348623157e308 / 1e300, "179769313.48623157"],
    [9007199254740991, "9007199254740991"],
    [-9007199254740991, "-9007199254740991"],
    [0.000001, "0.000001"],
    [1e-7, "1e-7"],
    [333333333.33333325, "333333333.33333325"],
    [-0.0000033333333333333333, "-0.0000033333333333333333"],
  ])("appendix B: %p is %s", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe("what has no canonical form", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];

  test.each<[string, unknown]>([
    ["NaN", { a: Number.NaN }],
    ["infinity", [Infinity]],
    ["2^53", 2 ** 53],
    ["1e30", 1e30],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["undefined in a list", [undefined]],
    ["nothing", undefined],
    ["a function", { a: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["bytes", new Uint8Array(1)],
    ["a cycle", cycle],
    ["100,000 levels", deep],
  ])("%s", (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(RunError);
  });
});

test("a property that is undefined is left out, and the order of keys does not matter", () => {
  expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
  expect(digestOfJson({ b: 1, a: [2] })).toBe(digestOfJson({ a: [2], b: 1 }));
  expect(digestOfJson({ a: 1 })).toBe(digestOfBytes('{"a":1}'));
});

test("__proto__ is a key like any other", () => {
  const value = JSON.parse('{"__proto__":{"a":1},"b":2}') as unknown;
  expect(canonicalJson(value)).toBe('{"__proto__":{"a":1},"b":2}');
});

test("it is a fixed point: what was read back is written the same", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        const text = canonicalJson(value);
        return canonicalJson(JSON.parse(text)) === text;
      } catch (error) {
        return error instanceof RunError;
      }
    }),
    { numRuns: 300 },
  );
});
