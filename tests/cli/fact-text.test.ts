// Facts of errors in words.
import { expect, test } from "bun:test";
import { factLines, factText, shownFact } from "../../src/surface/fact-words.ts";

const NEAR = { origin: "docs/a.md", title: "A", text: "The  rent\nis due.", lacks: ["office", "march"] };

test("what is nearest is on a line each, with what it lacks, on no more than one line", () => {
  expect(factLines("nearest", [NEAR, { ...NEAR, text: "x".repeat(400), lacks: [] }])).toEqual([
    'docs/a.md: "The rent is due.", without office, march',
    `docs/a.md: "${"x".repeat(157)}..."`,
  ]);
});

test("what is nearest is cut between words", () => {
  const long = factLines("nearest", [{ ...NEAR, text: "rent and office ".repeat(30), lacks: [] }]);
  expect(long?.join("")).toMatch(/^docs\/a\.md: ".{140,150} (?:rent|and|office)\.\.\."$/);
});

test("a corpus of one file is named once", () => {
  expect(factLines("nearest", [{ ...NEAR, origin: "a.md/a.md", lacks: [] }])).toEqual(['a.md: "The rent is due."']);
});

test("each problem of an answer is on a line of its own, whole", () => {
  const long = `s1 “${"x".repeat(500)}”: asserts 9, which stands in no quote`;
  expect(factLines("problems", [long, "no verdict on s2, s3"])).toEqual([long, "no verdict on s2, s3"]);
});

test("text of documents does not steer the terminal", () => {
  expect(factLines("nearest", [{ ...NEAR, text: "red \u001b[31m" }])?.join("")).not.toContain("\u001b");
});

test("every other fact is told on the line of its name", () => {
  for (const value of ["word", 3, null, [], ["a", "b"], [NEAR, "b"], { part: "p", terms: [] }])
    expect(factLines("nearest", value)).toBe(null);
  expect(factText(["a", "b"])).toBe("a, b");
});

test("one document is one document", () => {
  expect(shownFact("searched", [{ corpus: "docs", documents: 1 }])).toBe("docs (1 document)");
  expect(shownFact("searched", [{ corpus: "docs", documents: 3 }])).toBe("docs (3 documents)");
});
