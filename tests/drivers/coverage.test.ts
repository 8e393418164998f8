// Tests of the coverage by which the local driver answers, and of the sentences that it marks.
import { describe, expect, test } from "bun:test";
import { AskedWords } from "../../src/drivers/local/asked-words.ts";
import { coverageOf, judge } from "../../src/drivers/local/coverage.ts";
import type { QuestionPart } from "../../src/run/research.ts";

const PART: QuestionPart = {
  id: "part",
  text: "When does the lease of an owner expire?",
  terms: ["lease", "owner", "expire"],
  weights: [0.5, 0.25, 0.25],
};
function judged(sentences: string[], heading = "", part = PART) {
  const held = judge(new AskedWords(part), sentences, heading);
  return { ...held, coverage: coverageOf([held]) };
}

describe("coverage", () => {
  test("is two thirds of the best pair of sentences, plus one third of the second and third best sentence", () => {
    // run: lease + expire + owner = 1; singles: 0.75, 0.25, 0.
    expect(judged(["A lease expires.", "Its owner dies.", "Rain falls."]).coverage).toBeCloseTo((2 + 0.125) / 3, 4);
    // The two best are not neighbours: run = 0.75.
    expect(judged(["A lease expires.", "Rain falls.", "An owner dies."]).coverage).toBeCloseTo((1.5 + 0.125) / 3, 4);
    expect(judged(["Rain falls."]).coverage).toBe(0);
    expect(judged([]).coverage).toBe(0);
  });

  test("of several excerpts counts all their sentences, but no pair of sentences from two excerpts", () => {
    const [lease, owner] = [judged(["Rain falls.", "A lease expires."]), judged(["An owner dies.", "Rain falls."])];
    expect(coverageOf([lease, owner])).toBeCloseTo((1.5 + 0.125) / 3, 4);
    expect(coverageOf([])).toBe(0);
  });

  test("counts half a word that stands in the heading alone", () => {
    expect(judged(["It expires."], "Leases").coverage).toBeCloseTo((2 * 0.5) / 3, 4);
    expect(judged(["The lease expires."], "Leases").coverage).toBeCloseTo((2 * 0.75) / 3, 4);
  });

  test("does not count words that the whole corpus shares, unless it shares all of them", () => {
    const shared = { ...PART, weights: [0, 0.5, 0.5] };
    expect(judged(["The lease, the lease."], "", shared).coverage).toBe(0);
    expect(judged(["The lease."], "", { ...PART, weights: [0, 0, 0] }).coverage).toBeGreaterThan(0);
  });

  test("names the words that neither a sentence nor the heading has", () => {
    expect(judged(["It expires."], "Leases").lacks).toEqual(["owner"]);
    expect(judged(["It expires."], "", { ...PART, weights: [0.5, 0, 0.5] }).lacks).toEqual(["lease"]);
  });

  test("counts other forms of a word, as the search does", () => {
    expect(judged(["Leases are expiring; owners leave."]).lacks).toEqual([]);
    const german = { id: "p", text: "Wie wird die Heizung gewartet?", terms: ["heizung"] };
    expect(judged(["Die Heizungen ruhen."], "", german).coverage).toBeCloseTo(2 / 3, 4);
    expect(judged(["Das Heizungsventil tropft."], "", german).coverage).toBeCloseTo(1 / 3, 4);
  });
});

describe("marked are", () => {
  test("the best sentence, or the first of several that are equal", () => {
    expect(judged(["Rain falls.", "A lease expires.", "A lease expires."]).best).toEqual([1]);
  });

  test("two neighbours when the second adds much", () => {
    expect(judged(["Rain falls.", "A lease expires.", "Its owner dies."]).best).toEqual([1, 2]);
    expect(judged(["Its owner dies.", "Then a lease expires.", "Rain falls."]).best).toEqual([0, 1]);
    expect(judged(["A lease expires.", "Rain falls.", "Its owner dies."]).best).toEqual([0]);
  });

  test("the best pair, even when another sentence has more alone", () => {
    const part = { ...PART, terms: ["lease", "owner", "expire", "tick"], weights: [0.4, 0.3, 0.3, 0.3] };
    const sentences = ["A lease.", "Rain falls.", "An owner.", "Ticks expire."];
    expect(judged(sentences, "", { ...part, weights: [0.65, 0.5, 0.3, 0.3] }).best).toEqual([2, 3]);
  });
});
