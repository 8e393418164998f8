// A search leaves room for every document, and counts the words of a question.
import { describe, expect, test } from "bun:test";
import { headingText } from "../../src/kernel/heading-text.ts";
import { PASSAGES_PER_DOCUMENT, spread } from "../../src/corpus/search/spread.ts";
import { NO_ABORT, openAt, TemporaryFolder } from "./temporary-folder.ts";

function sections(count: number, text: string): string {
  return Array.from({ length: count }, (_, index) => `# Lock ${index}\n\n${text}\n`).join("\n");
}

describe("spread", () => {
  const documentOf = (item: string): string => item.slice(0, 1);

  test("takes a few of each document first, then others, and keeps the order", () => {
    const ranked = ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "c1"];
    expect(spread(ranked, 6, documentOf)).toEqual(["a1", "a2", "a3", "a4", "b1", "c1"]);
    expect(spread(ranked, 7, documentOf)).toEqual(["a1", "a2", "a3", "a4", "a5", "b1", "c1"]);
    expect(spread(ranked, 2, documentOf)).toEqual(["a1", "a2"]);
    expect(spread(ranked, 99, documentOf)).toEqual(ranked);
  });
});

describe("search", () => {
  test("one large document leaves room for others, and takes the places that they leave", async () => {
    using folder = new TemporaryFolder({
      "huge.md": sections(200, "lock lock lock expires lock"),
      "small.md": "# Notes\n\nAmong many other things that stand here, some lock expires at some time or other.\n",
    });
    const corpus = await openAt(folder.path);
    const found = await corpus.search("lock expires", { limit: 10 }, NO_ABORT);
    expect(found).toHaveLength(10);
    expect(found.filter(({ path }) => path === "small.md")).toHaveLength(1);
    const few = await corpus.search("lock expires", { limit: PASSAGES_PER_DOCUMENT + 1 }, NO_ABORT);
    expect(few.map(({ path }) => path).sort()).toEqual(["huge.md", "huge.md", "huge.md", "huge.md", "small.md"]);
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  });

  test("a passage with more of the words comes before one with a rare word alone", async () => {
    const words = ["boiler", "pressure", "valve"];
    const fillers = Array.from({ length: 60 }, (_, index) => [`${index}.md`, `Some ${words[index % 6] ?? "text"}.`]);
    using folder = new TemporaryFolder({
      ...Object.fromEntries(fillers),
      "three.md": "The boiler has a pressure valve.",
      "rare.md": "Zirconium, zirconium and zirconium.",
    });
    const corpus = await openAt(folder.path);
    const [best] = await corpus.search("boiler pressure valve zirconium", { limit: 5 }, NO_ABORT);
    expect(best?.path).toBe("three.md");
  });
});

test("a long heading is cut to well-formed text", () => {
  const title = headingText(`# ${"a".repeat(199)}\u{1F600}\u{1F600}`);
  expect(title.isWellFormed()).toBe(true);
  expect(title.length).toBeLessThanOrEqual(200);
});

test("the passages that hold each word of a question, in any form, are counted", async () => {
  using folder = new TemporaryFolder({
    "a.md": "# Locks\n\nA lock expires.\n",
    "b.md": "# Gates\n\nThe gate expired.\n",
    "c.md": "# Haus\n\nDie Heizungen ruhen.\n",
  });
  const corpus = await openAt(folder.path);
  const { passages, holding } = await corpus.countWords("When do locks expire by volcanoes?", NO_ABORT);
  expect([passages, ...holding]).toEqual([3, ["lock", 1], ["expir", 2], ["volcano", 0]]);
  const german = await corpus.countWords("Wie wird die Heizung gewartet?", NO_ABORT);
  expect([...german.holding]).toEqual([
    ["heizung", 1],
    ["gewartet", 0],
  ]);
  corpus.close();
});

test("a search says of each passage why it has its place", async () => {
  const alike =
    "The boiler of the plant holds its pressure for a day when the pump of the plant stands still at night.";
  using folder = new TemporaryFolder({
    "a.md": `# Boiler\n\n${alike}\n`,
    "b.md": `# Boiler\n\n${alike}\n\nMore.\n`,
    "c.md": "# Pump\n\n**pressure**: what the pump makes.\n",
    "d.md": "# Lamp\n\nA lamp.\n",
  });
  const corpus = await openAt(folder.path);
  const limits = { limit: 5, perDocument: 1 };
  const plain = await corpus.search("boiler pressure zirconium", limits, NO_ABORT);
  const explained = await corpus.search("boiler pressure zirconium", { ...limits, explains: true }, NO_ABORT);
  expect(explained.map(({ why: _why, ...passage }) => passage)).toEqual(plain);
  for (const { score, why } of explained) {
    const parts = why?.score ?? { words: 0, section: 0, nearness: 0, entry: 0 };
    expect(parts.words + parts.section + parts.nearness + parts.entry).toBeCloseTo(score, 1);
  }
  const boiler = explained.find(({ path }) => path === "a.md")?.why;
  expect(boiler?.holds).toMatchObject([
    { word: "boiler", in_text: 1, in_headings: 1 },
    { word: "pressure", in_text: 1, in_headings: 0 },
  ]);
  expect(boiler?.lacks).toEqual([{ word: "zirconium", weight: expect.any(Number) }]);
  expect(boiler?.folded).toEqual([{ path: "b.md", start: expect.any(Number), end: expect.any(Number) }]);
});
