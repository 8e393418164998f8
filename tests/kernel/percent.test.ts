// Shares as a page shows them.
import { expect, test } from "bun:test";
import { percent } from "../../src/kernel/percent.ts";

test("a share is rounded down, whatever its binary fraction", () => {
  expect([0, 0.29, 0.495, 0.4999, 0.5, 0.57, 1].map(percent)).toEqual([0, 29, 49, 49, 50, 57, 100]);
});
