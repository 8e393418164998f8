// The levels of headings in a PDF, from its bookmarks.
import { expect, test } from "bun:test";
import { headingLevels } from "../../../src/corpus/extract/pdf-headings.ts";
import type { Line } from "../../../src/corpus/extract/pdf-lines.ts";

function line(text: string, font = "bold"): Line {
  const place = { x: 70, right: 70 + 5 * text.length };
  return { text, page: 0, cells: [{ text, ...place }], ...place, y: 100, size: 10, font, isMono: false };
}

function levelsOf(
  headings: readonly string[],
  outline: readonly [title: string, depth: number][],
  font = "bold",
): number[] {
  const body = line("The bees of one hive are counted in the very same way as those of the other ones.", "plain");
  const lines = headings.map((text) => line(text, font));
  const rules = headingLevels(
    [body, ...lines],
    outline.map(([title, depth]) => ({ title, depth })),
  );
  const around = { before: undefined, after: body, pitch: 12, right: 500 };
  return lines.map((one) => rules.levelOf(one, around));
}

test("of bookmarks of one name, the one that comes next counts", () => {
  const outline = [
    ["Hives", 0],
    ["Example", 1],
    ["Feeding", 0],
    ["In winter", 1],
    ["Example", 2],
  ] as const;
  const names = ["Hives", "Example", "Feeding", "In winter", "Example"];
  expect(
    levelsOf(
      names,
      outline.map(([title, depth]) => [title, depth]),
    ),
  ).toEqual([2, 3, 2, 3, 4]);
});

test("a heading that was passed by does not lead the others astray", () => {
  const outline: [string, number][] = [
    ["Hives", 0],
    ["Example", 1],
    ["Feeding", 1],
    ["Example", 2],
    ["Winter", 0],
  ];
  expect(levelsOf(["Winter", "Feeding", "Example"], outline)).toEqual([2, 3, 4]);
});

test("a raised number at the end of a bookmark is not in the line", () => {
  expect(levelsOf(["7.2 Presenting GOsa"], [["7.2 Presenting GOsa²", 1]])).toEqual([3]);
});

test("in the font of the text, a bookmark with the number of its section is a heading, and one without is none", () => {
  const outline: [string, number][] = [
    ["Feeding", 1],
    ["Winter", 2],
  ];
  expect(levelsOf(["2.1 Feeding", "Feeding", "2.1.3. Winter", "2 Winter"], outline, "plain")).toEqual([3, 0, 4, 0]);
});
