// Tests of the coverage by which the local driver answers, and of the sentences that it marks.
import { describe, expect, test } from "bun:test";
import { PartWords } from "../../../src/drivers/local/part-words.ts";
import { judge } from "../../../src/drivers/local/coverage.ts";
import type { QuestionPart } from "../../../src/run/report/research.ts";

const PART: QuestionPart = {
  id: "part",
  text: "When does the lease of an owner expire?",
  terms: ["lease", "owner", "expire"],
  weights: [0.5, 0.25, 0.25],
};
function judged(sentences: string[], title = "", part = PART) {
  return judge(new PartWords(part), sentences, { title, columns: "" });
}

describe("coverage", () => {
  test("is three quarters of the best pair of sentences, plus one quarter of the second and third best sentence", () => {
    // run: lease + expire + owner = 1; singles: 0.75, 0.25, 0.
    expect(judged(["A lease expires.", "Its owner dies.", "Rain falls."]).coverage).toBeCloseTo((3 + 0.125) / 4, 4);
    // The two best are not neighbours: run = 0.75.
    expect(judged(["A lease expires.", "Rain falls.", "An owner dies."]).coverage).toBeCloseTo((2.25 + 0.125) / 4, 4);
    expect(judged(["Rain falls."]).coverage).toBe(0);
    expect(judged([]).coverage).toBe(0);
  });

  test("of a fact in one sentence, or under a heading that is the question, is whole", () => {
    expect(judged(["The lease of an owner expires after a minute."]).coverage).toBe(1);
    expect(judged(["The lease expires after a minute."]).coverage).toBe(0.75);
    expect(judged(["After a minute."], "FAQ > When does the lease of an owner expire?").coverage).toBe(1);
    expect(judged(["After a minute.", "Ask Ann."], "FAQ > When does the lease of an owner expire?").coverage).toBe(1);
    expect(judged(["It expires."], "Leases").coverage).toBe(0.75);
  });

  test("does not count words that the whole corpus shares, unless it shares all of them", () => {
    const shared = { ...PART, weights: [0, 0.5, 0.5] };
    expect(judged(["The lease, the lease."], "", shared).coverage).toBe(0);
    expect(judged(["The lease."], "", { ...PART, weights: [0, 0, 0] }).coverage).toBeGreaterThan(0);
  });

  test("counts other forms of a word, as the search does", () => {
    expect(judged(["Leases are expiring; owners leave."]).coverage).toBe(1);
    const german = { id: "p", text: "Wie wird die Heizung gewartet?", terms: ["heizung"] };
    expect(judged(["Die Heizungen ruhen."], "", german).coverage).toBe(1);
    expect(judged(["Das Heizungsventil tropft."], "", german).coverage).toBeCloseTo(1 / 2, 4);
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
