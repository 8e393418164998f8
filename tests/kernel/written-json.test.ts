// Tests of JSON as models write it: slips of form are read, and what stands in a text stays as it was written.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { RunError } from "../../src/kernel/errors.ts";
import { parseStrictJsonText } from "../../src/kernel/strict-json.ts";
import { unlessThrown } from "../../src/kernel/unless-thrown.ts";
import { parseWrittenJson } from "../../src/kernel/written-json.ts";

test.each<[string, unknown]>([
  ['{"a":[1,2,],"b":{"c":3 , } ,\n}', { a: [1, 2], b: { c: 3 } }],
  ['{"a":1},\n', { a: 1 }],
  ['```json\n{"a":"b"}\n```', { a: "b" }],
  ["```\n[1]\n```", [1]],
  ['{"a":"as \\upcite{ref6} and \\cite{x}"}', { a: "as \\upcite{ref6} and \\cite{x}" }],
  ['{"a":"C:\\Users\\x, \\u12 \\u00e9 \\\\ \\" \\n \\_ it\\\'s",}', { a: "C:\\Users\\x, \\u12 é \\ \" \n \\_ it's" }],
  ['{"a":"one\ntwo\tthree"}', { a: "one\ntwo\tthree" }],
  ['{"a":"x,} y,] ,",}', { a: "x,} y,] ," }],
])("%j is read", (text, value) => {
  expect(parseWrittenJson(text)).toEqual(value);
});

test.each([
  '{"a":',
  '{"a":1,,}',
  "[,1]",
  '{"a":1,"a":2,}',
  "{'a':1}",
  '{"a":12345678901234567890,}',
  "",
  "no object",
  '{"a":"x,}',
])("%j is no JSON all the same", (text) => {
  expect(() => parseWrittenJson(text)).toThrow(RunError);
});

test("what is JSON already is read as it is", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = unlessThrown(() => parseStrictJsonText(text), null);
      fc.pre(value !== null);
      expect(parseWrittenJson(text)).toEqual(value);
    }),
  );
});

test("texts with a slip elsewhere keep all their characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(parseWrittenJson(`{"a":${JSON.stringify(text)},}`)).toEqual({ a: text });
    }),
  );
});
