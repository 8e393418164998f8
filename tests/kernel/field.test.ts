// The values of fields: JSON and the words of a command line are judged alike, and what is refused can be shown to anybody.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { content, decimal, integer, judged, listOf, text } from "../../src/kernel/field.ts";

const NUMBERS = [0, 1, 2.5, 0.1, 1e-8, 1e-9, 1.123456789, 0.1 + 0.2, -1, 99, 100, 101, 1e20, 1e21, NaN, Infinity];

function refusalOf(read: () => unknown): RunError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
}

describe("a number of JSON", () => {
  for (const [name, field] of [
    ["decimal", decimal("N", "some", { above: 0, most: 100 })],
    ["integer", integer("N", "some", { least: 1, most: 100 })],
  ] as const)
    test(`fits where the same word of a command line does: ${name}`, () => {
      const taken = NUMBERS.filter((number) => refusalOf(() => judged(field, number)) === null);
      expect(taken).toEqual(NUMBERS.filter((number) => refusalOf(() => field.read(String(number))) === null));
      expect(taken).toContain(1);
      expect(taken.length).toBeLessThan(NUMBERS.length / 2);
    });
});

describe("a value that is refused", () => {
  const HOSTILE = [
    "\ud800",
    "a\0b",
    `${"x".repeat(199)}\u{1f600}`,
    "\udc00\0",
    "",
    7,
    null,
    ["\ud800"],
    { "\ud800": 1 },
  ];

  test("stands in the refusal so that every reader of JSON takes it", () => {
    const fields = [integer("N", "some", { most: 9 }), text("WORD", "some"), listOf(text("WORD", "some"))];
    let refused = 0;
    for (const field of fields)
      for (const value of HOSTILE) {
        const error = refusalOf(() => judged(field, value));
        if (error === null) continue;
        refused++;
        const said = [error.facts["reason"], error.facts["found"]].join(" ");
        expect([said, said.isWellFormed(), said.includes("\0")]).toEqual([said, true, false]);
      }
    expect(refused).toBeGreaterThan(HOSTILE.length * 2);
  });

  test("says what is wrong: broken Unicode, and how many a list may have", () => {
    const list = listOf(text("WORD", "some"));
    expect(refusalOf(() => text("WORD", "some").read("\ud800"))?.facts["reason"]).toContain("broken Unicode");
    expect(refusalOf(() => judged(list, Array(201).fill("a")))?.facts["reason"]).toContain("at most 200");
    expect(refusalOf(() => judged(list, Array(200).fill("a")))).toBeNull();
    expect(refusalOf(() => content("an answer", 3).read("abcd"))?.code).toBe("INPUT_TOO_LARGE");
  });
});
