// A report that was forged may not take long to lay out.
import { expect, test } from "bun:test";
import { blockSchema } from "../../src/run/report/report.ts";

test.each([
  [1_000, true],
  [1_001, false],
])("an excerpt with %d spans of code is read: %p", (length, isRead) => {
  const code = Array.from({ length }, (_, start) => ({ start, end: start + 1 }));
  const block = { kind: "excerpt", statement: "s1", marks: [], code };
  expect(blockSchema.safeParse(block).success).toBe(isRead);
});
