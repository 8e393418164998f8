// Short columns of a PDF, as browsers print them, are read without mixing their sentences.
import { describe, expect, test } from "bun:test";
import { columnsOf } from "../../../src/corpus/extract/pdf-columns.ts";
import { withWholeLetters } from "../../../src/corpus/extract/pdf-lines.ts";
import { linesAt, pdfOf, type PdfText } from "./pdf-writer.ts";
import { textFrom } from "./texts.ts";

const LEFT = [
  "The tidal plant at the mouth of the river",
  "yields five hundred units in a year. Its",
  "turbines stand still for one hour in six,",
  "since tides follow the moon.",
];
const RIGHT = ["To build it took six years, and it cost", "twice as much as had been planned."];
const WIDE = [
  "A mill that is driven by the tide is older than most people would think: one stood on this coast a thousand",
  "years ago, and its basin can still be seen when the water is low. Nobody knows how many there were along the",
  "coast, for the records of the monks name only those that paid a tax, and a mill that paid none left no trace",
  "behind but its stones.",
];

const left = linesAt(72, 300, LEFT);
const right = linesAt(320, 300, RIGHT);
const above = linesAt(72, 120, WIDE);
const below = linesAt(72, 380, WIDE);

function textOf(...parts: readonly (readonly PdfText[])[]): Promise<string> {
  return textFrom("pdf", pdfOf([parts.flat()]));
}

describe("short columns", () => {
  test("four lines next to two are read one column after the other", async () => {
    expect(await textOf(left, right)).toBe(`${LEFT.join(" ")}\n\n${RIGHT.join(" ")}\n`);
  });

  test("columns between paragraphs of the whole width are read in their place", async () => {
    expect(await textOf(above, left, right, below)).toBe(
      `${[WIDE, LEFT, RIGHT, WIDE].map((lines) => lines.join(" ")).join("\n\n")}\n`,
    );
  });

  test("lines of two columns at different heights are not mixed", async () => {
    const lower = linesAt(320, 304, RIGHT);
    expect(await textOf(left, lower)).toBe(`${LEFT.join(" ")}\n\n${RIGHT.join(" ")}\n`);
  });

  test("columns above and below a heading are read on their side of it", async () => {
    const heading = [{ text: "2 What it costs", x: 72, top: 372, size: 14 }];
    const again = [...linesAt(72, 400, RIGHT), ...linesAt(320, 400, LEFT)];
    expect(await textOf(left, right, heading, again)).toBe(
      `${LEFT.join(" ")}\n\n${RIGHT.join(" ")}\n\n## 2 What it costs\n\n${RIGHT.join(" ")}\n\n${LEFT.join(" ")}\n`,
    );
  });

  test("a line that browsers write behind all of a page is in no column", async () => {
    const head = [
      { text: "11/22/26, 11:38 PM", x: 50, top: 30, size: 8 },
      { text: "Tidal power: a review of what has been written in ten years", x: 330, top: 30, size: 8 },
    ];
    expect(await textOf(left, right, head)).toBe(
      `${LEFT.join(" ")}\n\n${RIGHT.join(" ")}\n\n${head.map(({ text }) => text).join(" ")}\n`,
    );
  });

  test("words that the file has behind all others are read in their line", async () => {
    const around = LEFT.flatMap((_, at) => [
      { text: "On this coast", x: 72, top: 300 + 12 * at },
      { text: "is older than the town.", x: 200, top: 300 + 12 * at },
    ]);
    const words = linesAt(137, 300, ["every mill", "every wall", "every barn", "every road"]);
    const bold = words.map((word) => ({ ...word, font: "bold" as const }));
    expect(await textOf(around, bold)).toContain("On this coast every mill is older than the town.");
  });

  test("a note next to the text is read in the order of the file", async () => {
    const note = linesAt(420, 120, RIGHT);
    const text = linesAt(72, 120, LEFT);
    expect(await textOf(note, text)).toBe(`${RIGHT.join(" ")}\n\n${LEFT.join(" ")}\n`);
  });
});

test("columns that were written line by line are read one after the other", async () => {
  const pairs = [...LEFT, ...LEFT].map((text, at) => [text, RIGHT[at % 2] ?? ""] as const);
  const rows = pairs.flatMap(([one, other], at) => [
    ...linesAt(72, 300 + 12 * at, [one]),
    ...linesAt(320, 300 + 12 * at, [other]),
  ]);
  const wide = linesAt(72, 120, [...WIDE, ...WIDE, ...WIDE]);
  const text = await textOf(wide, rows, linesAt(72, 420, WIDE));
  expect(text).toContain(`${LEFT.join(" ")}\n\n${LEFT.join(" ")}\n\n${RIGHT.join(" ")}`);
});

describe("texts that are no columns", () => {
  test("the cells of a table with long texts", async () => {
    const rows = LEFT.slice(0, 3).flatMap((text, at) => [
      { text, x: 72, top: 300 + 20 * at },
      { text: RIGHT[at % 2] ?? "", x: 320, top: 300 + 20 * at },
    ]);
    expect(await textOf(above, rows)).toContain(`|  |  |\n| --- | --- |\n| ${LEFT[0]} | ${RIGHT[0]} |`);
  });

  test("a term with the first line of its text next to it", async () => {
    const term = [
      { text: "A mill that is driven by tides", x: 72, top: 300 },
      { text: "is older than most people would think:", x: 260, top: 300 },
      ...linesAt(72, 312, ["one stood on this coast a thousand years ago, and its basin can still be seen."]),
    ];
    expect(await textOf(term)).toBe(
      "A mill that is driven by tides is older than most people would think: one stood on this coast a thousand " +
        "years ago, and its basin can still be seen.\n",
    );
  });
});

test("a line of a table of contents removes no text next to it", async () => {
  const contents = linesAt(320, 300, ["1 Mills . . . . . . . . . . . 3", "2 Costs . . . . . . . . . . . 7"]);
  expect(await textOf(left, contents)).toBe(`${LEFT.join(" ")}\n`);
});

test("a page of any width is read", () => {
  const words = { text: "words", right: 0, y: 0, size: 10, font: "F", isMono: false, isRightToLeft: false };
  const near = { ...words, x: 72, right: 100, order: 0 };
  const far = { ...words, x: 9e9, right: 9e9 + 28, order: 1 };
  expect(columnsOf([near, far])).toEqual([[near, far]]);
});

test("accents and ligatures of old fonts are repaired next to letters, and stay elsewhere", () => {
  expect(withWholeLetters("bibliograf´ıa, fran¸cais, ˇcesk´y, perch`e, ¨Ofen")).toBe(
    "bibliografía, français, český, perchè, Öfen",
  );
  expect(withWholeLetters("modi\u001ces the e\u001bect, \u001crst")).toBe("modifies the effect, first");
  expect(withWholeLetters("run `ls` with f´(x) at 20 ˚ and ˆ 2 \u001c")).toBe(
    "run `ls` with f´(x) at 20 ˚ and ˆ 2 \u001c",
  );
});
