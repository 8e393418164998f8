// The answer of a part is led by the first excerpt of the search that covers the part alone, and by the next where it is as good.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { draft } from "../../src/drivers/local/draft.ts";
import type { Tasks } from "../../src/ports/driver.ts";
import type { Block, Draft } from "../../src/run/report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";

type Input = Tasks["draft"]["input"];

const DIGEST = digestOfBytes("a source");

/** Of excerpts in the order of the search, by how much of the one part each holds alone, and by its score. */
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

test("the first that covers the part alone leads, and the others keep their order", () => {
  expect(pageOf([0.2, 0.3, 0.7, 0.9], 0.9)).toEqual(["c3", "c1", "c2", "c4"]);
});

test("where none does so alone, the first of the search leads", () => {
  expect(pageOf([0.3, 0.2, 0.39], 0.6)).toEqual(["c1", "c2", "c3"]);
  expect(pageOf([0.3, 0.2, 0.4], 0.6)).toEqual(["c3", "c1", "c2"]);
});

/** What stands before the first heading below the answer; its first paragraph without its words. */
function answerOf(...[coverages, ofAll, scores]: Parameters<typeof blocksOf>): string[] {
  const [, ...blocks] = blocksOf(coverages, ofAll, scores);
  const next = blocks.findIndex(({ kind }) => kind === "heading");
  return blocks
    .slice(0, next < 0 ? undefined : next)
    .map((block) => (block.kind === "excerpt" ? block.statement : block.kind));
}

describe("where the search can hardly tell the next passage from the first", () => {
  test("both lead, and the page says so", () => {
    expect(answerOf([0.5, 0.5, 0.6], 0.9, [10, 9, 9])).toEqual(["paragraph", "c1", "c2"]);
    expect(answerOf([0.5, 0.3, 0.6], 0.9, [10, 9.9, 9])).toEqual(["paragraph", "c1", "c3"]);
  });

  test("control: one leads where it stands out, where no other covers the part alone, and where nothing was scored", () => {
    expect(answerOf([0.5, 0.5, 0.6], 0.9, [10, 8.9, 8])).toEqual(["c1"]);
    expect(answerOf([0.5, 0.3, 0.3], 0.9, [10, 10, 10])).toEqual(["c1"]);
    expect(answerOf([0.5, 0.5], 0.9)).toEqual(["c1"]);
    // What stands behind a lower score was put there.
    expect(answerOf([0.5, 0.5, 0.6], 0.9, [10, 11, 8])).toEqual(["c1"]);
  });

  test("what a model recorded was not scored by one search: the first leads", () => {
    expect(answerOf([undefined, undefined], 0.9, [1, 1])).toEqual(["c1"]);
  });
});

test("two fifths of what is asked are an answer, less is a nearest passage", () => {
  expect(headingOf(0.4)).toEqual(["Answer"]);
  expect(headingOf(0.39)).toEqual(["Nearest passages"]);
});

test("what leads an answer says which words it lacks, as a nearest passage does", () => {
  for (const coverage of [0.4, 0.39]) {
    expect(blocksOf([coverage], coverage)).toContainEqual(expect.objectContaining({ lacks: ["greased"] }));
  }
});

test("where each excerpt lacks another word, what the one lacks that leads is missing; nearest passages, the best one", () => {
  const lacks = ["pump", "greased"];
  expect(draftOf([0.2, 0.3], 0.5, [], lacks).parts.map(({ missing }) => missing)).toEqual([["pump"]]);
  expect(draftOf([0.2, 0.3], 0.3, [], lacks).parts.map(({ missing }) => missing)).toEqual([["greased"]]);
});
