// Tests which excerpts lead the answer: the first that answers the part alone, and the next if its score is nearly the same.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { draft } from "../../src/drivers/local/draft.ts";
import type { Tasks } from "../../src/ports/driver.ts";
import type { Block, Draft } from "../../src/run/report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";

type Input = Tasks["draft"]["input"];

const DIGEST = digestOfBytes("a source");

/** The draft of excerpts in the order of the search. `coverages`: of each alone. `ofAll`: of all together. */
function draftOf(
  coverages: readonly (number | undefined)[],
  ofAll: number,
  scores: readonly number[] = [],
  lacks: readonly string[] = [],
): Draft {
  const citations = coverages.map((coverage, index) => ({
    citation_id: `c${index + 1}`,
    subject: "p1",
    quote: { source_digest: DIGEST, start: index, end: index + 1, text: `excerpt ${index + 1}` },
    found: true,
    verdict: "supported" as const,
    method: "verbatim",
    part_ids: ["p1"],
    ...(coverage === undefined ? {} : { coverage }),
    lacks: [lacks[index] ?? "greased"],
  }));
  const input: Input = {
    question: "How is the pump greased?",
    plan: { parts: [{ id: "p1", text: "How is the pump greased?", terms: ["pump", "greased"] }], perspectives: [] },
    pivot: {
      parts: [{ part_id: "p1", evidence: "strong", quotes: coverages.length, sources: 1, coverage: ofAll }],
      gaps: [],
      decision: "skip",
      reason: "there is one wave",
    },
    summaries: [
      {
        schema_version: "summary.v1",
        subject: "p1",
        subject_kind: "perspective",
        title: "Overview",
        points: scores.map((score, index) => ({ text: "excerpt", citation_ids: [`c${index + 1}`], score })),
      },
    ],
    citations: [{ schema_version: "citations.v1", subject: "p1", citations }] as unknown as Input["citations"],
    sources: [{ source_digest: DIGEST, title: "Pumps", origin: "corpus:docs/pumps.md" }] as unknown as Input["sources"],
    limits: LIMITS_BY_MODE.standard,
    directives: [],
    previous: null,
  };
  return draft(input);
}

function blocksOf(...given: Parameters<typeof draftOf>): Block[] {
  return draftOf(...given).blocks;
}

function pageOf(coverages: readonly number[], ofAll: number): string[] {
  return blocksOf(coverages, ofAll).flatMap((block) => (block.kind === "excerpt" ? [block.statement] : []));
}

function headingOf(coverage: number): string[] {
  return blocksOf([coverage], coverage).flatMap((block) => (block.kind === "heading" ? [block.text] : []));
}

test("the first excerpt that answers the part alone leads, and the others keep their order", () => {
  expect(pageOf([0.2, 0.3, 0.7, 0.9], 0.9)).toEqual(["c3", "c1", "c2", "c4"]);
});

test("when no excerpt answers alone, the first of the search leads", () => {
  expect(pageOf([0.3, 0.2, 0.39], 0.6)).toEqual(["c1", "c2", "c3"]);
  expect(pageOf([0.3, 0.2, 0.4], 0.6)).toEqual(["c3", "c1", "c2"]);
});

/** The blocks of the answer: the ids of excerpts, and the kinds of other blocks. */
function answerOf(...[coverages, ofAll, scores]: Parameters<typeof blocksOf>): string[] {
  const [, ...blocks] = blocksOf(coverages, ofAll, scores);
  const next = blocks.findIndex(({ kind }) => kind === "heading");
  return blocks
    .slice(0, next < 0 ? undefined : next)
    .map((block) => (block.kind === "excerpt" ? block.statement : block.kind));
}

describe("two excerpts with nearly the same score", () => {
  test("both lead, and the page says that no passage stands out", () => {
    expect(answerOf([0.5, 0.5, 0.6], 0.9, [10, 9, 9])).toEqual(["paragraph", "c1", "c2"]);
    expect(answerOf([0.5, 0.3, 0.6], 0.9, [10, 9.9, 9])).toEqual(["paragraph", "c1", "c3"]);
  });

  test("control: one leads when its score is higher, no other answers alone, or there are no scores", () => {
    expect(answerOf([0.5, 0.5, 0.6], 0.9, [10, 8.9, 8])).toEqual(["c1"]);
    expect(answerOf([0.5, 0.3, 0.3], 0.9, [10, 10, 10])).toEqual(["c1"]);
    expect(answerOf([0.5, 0.5], 0.9)).toEqual(["c1"]);
    // An excerpt with a higher score was ranked behind prose.
    expect(answerOf([0.5, 0.5, 0.6], 0.9, [10, 11, 8])).toEqual(["c1"]);
  });

  test("control: one leads when a model recorded them, since their scores are of different searches", () => {
    expect(answerOf([undefined, undefined], 0.9, [1, 1])).toEqual(["c1"]);
  });
});

test("a coverage of 0.4 is an answer, and less is a nearest passage", () => {
  expect(headingOf(0.4)).toEqual(["Answer"]);
  expect(headingOf(0.39)).toEqual(["Nearest passages"]);
});

test("an excerpt that leads names the words that it lacks, as a nearest passage does", () => {
  for (const coverage of [0.4, 0.39]) {
    expect(blocksOf([coverage], coverage)).toContainEqual(expect.objectContaining({ lacks: ["greased"] }));
  }
});

test("when each excerpt lacks another word, those of the leading or else of the best excerpt are missing", () => {
  const lacks = ["pump", "greased"];
  expect(draftOf([0.2, 0.3], 0.5, [], lacks).parts.map(({ missing }) => missing)).toEqual([["pump"]]);
  expect(draftOf([0.2, 0.3], 0.3, [], lacks).parts.map(({ missing }) => missing)).toEqual([["greased"]]);
});
