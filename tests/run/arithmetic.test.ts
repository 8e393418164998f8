// Expressions behind derived numbers: what they are worth, and which shown numbers stand for that.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { literalsOf, showsValue, valueOf } from "../../src/run/report/arithmetic.ts";

test.each([
  ["(5.2 - 3.1) / 3.1", 0.6774193548387097],
  ["1 + 2 * 3 - 4 / 2", 5],
  ["10 - 2 - 3", 5],
  ["2 × 3 ÷ 4", 1.5],
  ["-(2 - 5)", 3],
  ["7", 7],
  ["1 / 0", null],
  ["", null],
  ["1 +", null],
  ["(1", null],
  ["1)", null],
  ["1 2", null],
  ["2 ** 3", null],
  ["process.exit(1)", null],
  ["1e5", null],
  [`${"(".repeat(400)}1`, null],
  ["1+".repeat(300) + "1", null],
])("%s is worth %p", (expression, value) => {
  expect(valueOf(expression)).toBe(value);
});

test("whatever it is given, it has a finite value or none", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("0123456789.+-*/() x")), maxLength: 60 });
  fc.assert(
    fc.property(text, (expression) => {
      const value = valueOf(expression);
      return value === null || Number.isFinite(value);
    }),
  );
});

test.each([
  ["0.68", 0.6774, false, true],
  ["0.7", 0.6774, false, true],
  ["0.6", 0.6774, false, false],
  ["68", 67.74, false, true],
  ["67", 67.74, false, false],
  ["70", 67.74, false, false],
  ["70", 67.74, true, true],
  ["80", 67.74, true, false],
  ["3", -3, false, true],
])("%s stands for %p (hedged: %p): %p", (shown, value, isHedged, stands) => {
  expect(showsValue(shown, value, isHedged)).toBe(stands);
});

test("its numbers are read as they are written", () => {
  expect(literalsOf("(5.2 - 3.10) * 60")).toEqual(["5.2", "3.10", "60"]);
});
