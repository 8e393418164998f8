// Delimited text is cut into records and cells.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { DELIMITERS, markdownCells, recordsOf } from "../../src/kernel/cells.ts";

const cellsIn = (text: string, delimiter: (typeof DELIMITERS)[number]) =>
  [...recordsOf(text, delimiter)].map(({ cells }) => cells);

test("a quoted cell may hold delimiters, line ends and doubled quotes", () => {
  expect(cellsIn('a,"b, ""c""\r\nd",e\r\n\r\n,f,\n', ",")).toEqual([
    ["a", 'b, "c"\r\nd', "e"],
    ["", "f", ""],
  ]);
  expect(cellsIn("a;\n;b;", ";")).toEqual([
    ["a", ""],
    ["", "b", ""],
  ]);
});

test("a quote that nothing closes, and one inside a cell, are signs like any other", () => {
  expect(cellsIn('5" pipe,7" pipe', ",")).toEqual([['5" pipe', '7" pipe']]);
  expect(cellsIn('a,"open\nb,c', ",")).toEqual([
    ["a", '"open'],
    ["b", "c"],
  ]);
});

test("what a program writes is read as it was", () => {
  const cell = fc.string().map((text) => text.trim().replaceAll("\u0000", ""));
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, fc.constantFrom(...DELIMITERS), fc.constantFrom("\n", "\r\n"), (rows, delimiter, end) => {
      const filled = rows.filter((row) => row.some((one) => one !== ""));
      const written = filled.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter));
      expect(cellsIn(written.join(end), delimiter)).toEqual(filled);
    }),
  );
});

test("bars at the ends of a row of Markdown make no cells, and neither does one behind a backslash", () => {
  expect(markdownCells(" | 1 | a \\| b | |")).toEqual(["1", "a | b", ""]);
  expect(markdownCells("a | b")).toEqual(["a", "b"]);
});
