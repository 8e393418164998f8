// Tests which excerpts lead the answer: the first that answers the part alone, and the next if its score is nearly the same.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { ANSWERS_FROM, doesAnswer } from "../../../src/drivers/local/coverage.ts";
import { draft } from "../../../src/drivers/local/draft.ts";
import type { Tasks } from "../../../src/ports/driver.ts";
import type { Draft } from "../../../src/run/report/report.ts";
import { claimsOf } from "../../../src/run/report/statements.ts";
import { LIMITS_BY_MODE } from "../../../src/run/settings/settings.ts";

type Input = Tasks["draft"]["input"];

const DIGEST = digestOfBytes("a source");

/** The draft of excerpts in the order of the search. `coverages`: of each alone. */
function draftOf(
  coverages: readonly (number | undefined)[],
  scores: readonly number[] = [],
  lacks: readonly (readonly string[])[] = [],
  sections: readonly string[] = [],
): Draft {
  const citations = coverages.map((coverage, index) => ({
    citation_id: `c${index + 1}`,
    subject: "p1",
    quote: {
      source_digest: DIGEST,
      start: index,
      end: index + 1,
      text: `excerpt ${index + 1}`,
      anchor: { section: [sections[index] ?? `section ${index}`] },
    },
    found: true,
    verdict: "supported" as const,
    method: "verbatim",
    part_ids: ["p1"],
    ...(coverage === undefined ? {} : { coverage, answers: coverage >= ANSWERS_FROM }),
    lacks: [...(lacks[index] ?? ["greased"])],
  }));
  const input: Input = {
    question: "How is the pump greased?",
    plan: { parts: [{ id: "p1", text: "How is the pump greased?", terms: ["pump", "greased"] }], perspectives: [] },
    pivot: {
      parts: [{ part_id: "p1", evidence: "strong", quotes: coverages.length, sources: 1 }],
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

/** `a` answers alone, `b` does not. */
const [A, B] = [ANSWERS_FROM, ANSWERS_FROM - 0.01];
const NOTHING_LACKED = [["greased"], [], [], []];

function shownIn({ blocks }: Draft): string[] {
  return blocks.flatMap((block) => (block.kind === "excerpt" ? [block.statement] : []));
}

test("the first excerpt that answers the part alone leads, and the others keep their order", () => {
  expect(shownIn(draftOf([0.2, B, A, 0.9], [], [[], [], ["greased"], []]))).toEqual(["c3", "c1", "c2", "c4"]);
});

describe("below an excerpt that stands out", () => {
  test("stands what has a word that it lacks, or is of the same section", () => {
    expect(shownIn(draftOf([A, A, A, B], [], [["greased"], ["greased"], [], ["pump"]]))).toEqual(["c1", "c3", "c4"]);
    expect(shownIn(draftOf([A, A, B], [], [], ["Oil", "Rust", "Oil"]))).toEqual(["c1", "c3"]);
  });

  test("control: where none stands out, all are shown", () => {
    expect(shownIn(draftOf([A, A, B], [10, 9.5, 5]))).toEqual(["c1", "c2", "c3"]);
  });
});

/** The blocks of the answer: the ids of excerpts, and the kinds of other blocks. */
function answerOf(...given: Parameters<typeof draftOf>): string[] {
  const [, ...blocks] = draftOf(...given).blocks;
  const next = blocks.findIndex(({ kind }) => kind === "heading");
  return blocks
    .slice(0, next < 0 ? undefined : next)
    .map((block) => (block.kind === "excerpt" ? block.statement : block.kind));
}

describe("two excerpts with nearly the same score", () => {
  test("both lead, and where the second holds as much the page says that no passage stands out", () => {
    expect(answerOf([A, A, 0.9], [10, 9, 9], NOTHING_LACKED)).toEqual(["paragraph", "c1", "c2"]);
    expect(answerOf([A, B, 0.9], [10, 9.9, 9], NOTHING_LACKED)).toEqual(["paragraph", "c1", "c3"]);
    expect(answerOf([0.9, A, A], [10, 10, 10])).toEqual(["c1", "c2"]);
  });

  test("control: one leads when its score is higher, no other answers alone, or there are no scores", () => {
    expect(answerOf([A, A, 0.9], [10, 8.9, 8])).toEqual(["c1"]);
    expect(answerOf([A, B, B], [10, 10, 10])).toEqual(["c1"]);
    expect(answerOf([A, A])).toEqual(["c1"]);
    // An excerpt with a higher score was ranked behind prose.
    expect(answerOf([A, A, 0.9], [10, 11, 8])).toEqual(["c1"]);
  });

  test("control: one leads when a model recorded them, since their scores are of different searches", () => {
    expect(answerOf([undefined, undefined], [1, 1])).toEqual(["c1"]);
  });
});

test("from the threshold on it is an answer; below, one nearest passage, and no claim", () => {
  const titles = (draft: Draft): string[] =>
    draft.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []));
  const near = draftOf([B, 0.2, 0.3]);
  expect(titles(draftOf([A]))).toEqual(["Answer"]);
  expect(titles(near)).toEqual(["Answer", "Nearest passages"]);
  expect(shownIn(near)).toEqual(["c1"]);
  expect([draftOf([A]).answered, near.answered]).toEqual(["yes", "nearest"]);
  expect([claimsOf(draftOf([A])).length, claimsOf(near).length]).toEqual([1, 0]);
});

test("the words that the leading or nearest excerpt lacks stand below it, and are missing", () => {
  for (const coverage of [A, B]) {
    const { blocks, parts } = draftOf([coverage]);
    expect(blocks).toContainEqual(expect.objectContaining({ lacks: ["greased"] }));
    expect(parts.map(({ missing }) => missing)).toEqual([["greased"]]);
  }
});

test("a quote of 0.1.0 answers as it did there: it has a coverage of another scale, and does not say whether it answers", () => {
  expect([doesAnswer({ coverage: 0.41 }), doesAnswer({ coverage: 0.39 }), doesAnswer({})]).toEqual([true, false, true]);
  expect(doesAnswer({ coverage: 0.41, answers: false })).toBe(false);
});
