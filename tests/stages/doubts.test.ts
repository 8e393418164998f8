// Tests of gates C and E: how many claims may be contradicted or not checked, and where contradicted claims stand.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { contradictedApart } from "../../src/run/report/contradicted-apart.ts";
import type { Block, Claim, Draft, Verdict } from "../../src/run/report/report.ts";
import { claimsOf, sectionsOf } from "../../src/run/report/statements.ts";
import type { Citation } from "../../src/run/report/research.ts";
import { LIMITS_BY_MODE, workLimits, type Limits } from "../../src/run/settings/settings.ts";
import { judgeCitations } from "../../src/stages/citations.ts";
import { judgeDraft } from "../../src/stages/review.ts";
import { listed } from "./listed-claims.ts";

const source_digest = digestOfBytes("source");
const LIMITS: Limits = { ...LIMITS_BY_MODE.standard, max_unsupported_share: 0.4, min_citation_use: 0 };

function citation(index: number, verdict: Verdict): Citation {
  const text = `The cellar is dark, says line ${index}.`;
  const quote = { source_digest, start: index * 100, end: index * 100 + text.length, text };
  return { citation_id: `q${index}`, subject: "overview", quote, found: true, verdict, method: "model x:y" };
}

const citations = (...verdicts: Verdict[]): Citation[] => verdicts.map((verdict, index) => citation(index, verdict));

function claimOf({ citation_id, quote, verdict }: Citation): Claim {
  const reason = verdict === "supported" ? {} : { reason: "so read" };
  const judged = { verdict, method: "model x:y", ...reason, quotes: [quote] };
  return { statement_id: citation_id, text: quote.text, basis: "cited", ...judged };
}

function draftOf(checked: readonly Citation[]): Draft {
  return {
    question: "How dark is it?",
    ...listed([{ title: "Answer", role: "answer", claims: checked.map(claimOf) }]),
    sources: [{ number: 1, source_digest, title: "Cellar", origin: "notes/cellar.md" }],
    gaps: [],
    parts: [],
    made: { notes: [] },
  };
}

function judged(checked: readonly Citation[], change: (draft: Draft) => Draft = (draft) => draft) {
  return judgeDraft(
    change(draftOf(checked)),
    [{ draft: 1, decision: "accept", directives: [] }],
    { citations: checked },
    LIMITS,
  );
}

const sorted = (draft: Draft): Draft => ({ ...draft, ...contradictedApart(draft) });

describe("gate C", () => {
  test("counts contradicted claims apart from those that were not checked", () => {
    const { reasons, metrics } = judgeCitations(
      citations("supported", "contradicted", "not_checked", "not_checked"),
      4,
      LIMITS,
    );
    expect(reasons).toEqual(["1 of 4 claims contradicted and 2 not checked; together at most 40 % may be"]);
    expect(metrics).toMatchObject({ contradicted: 1, not_checked: 2, unsupported_share: 0.75 });
  });

  test.each([
    [["supported", "supported", "supported", "contradicted", "not_checked"], "pass"],
    [["supported", "supported", "contradicted", "contradicted", "not_checked"], "fail"],
    [[], "pass"],
  ] as [Verdict[], string][])("%p: %s", (verdicts, status) => {
    expect(judgeCitations(citations(...verdicts), verdicts.length, LIMITS).status).toBe(status as "pass" | "fail");
  });

  test.each([3, 7, 13, 29, 41])("passes with the printed share as the limit, at %p of 100", (doubtful) => {
    const all = citations(
      ...Array.from({ length: 100 }, (_, at): Verdict => (at < doubtful ? "not_checked" : "supported")),
    );
    const share = Number(
      judgeCitations(all, 100, { ...LIMITS, max_unsupported_share: 0 }).metrics["unsupported_share"],
    );
    expect(judgeCitations(all, 100, { ...LIMITS, max_unsupported_share: share }).status).toBe("pass");
  });
});

describe("gate E", () => {
  test("has the same limit for the claims of the draft", () => {
    const { status, reasons } = judged(citations("supported", "not_checked"));
    expect([status, reasons]).toEqual([
      "fail",
      ["0 of 2 claims contradicted and 1 not checked; together at most 40 % may be"],
    ]);
  });

  test("refuses a contradicted claim that is not apart", () => {
    const some = citations("supported", "supported", "contradicted");
    expect(judged(some).reasons).toEqual(["claim q2 is contradicted and not apart from the others"]);
    expect(judged(some, sorted).reasons).toEqual([]);
  });

  test("refuses a report with contradicted claims alone", () => {
    expect(judged(citations("contradicted"), sorted).reasons).toContain(
      "every claim of the report is contradicted by its quotes, or follows from such claims alone",
    );
  });
});

describe("claims that are contradicted", () => {
  test("are behind all others, and leave no empty section", () => {
    const [gone, stays] = citations("contradicted", "supported").map(claimOf) as [Claim, Claim];
    const page = contradictedApart(
      listed([
        { title: "Gone", claims: [gone] },
        { title: "Answer", role: "answer", claims: [stays] },
      ]),
    );
    expect(sectionsOf(page).map(({ heading, blocks }) => [heading?.text, heading?.role, blocks.length])).toEqual([
      ["Answer", "answer", 1],
      ["What its quotes contradict", "contradicted", 1],
    ]);
    expect(claimsOf(page).map(({ statement_id }) => statement_id)).toEqual(["q1", "q0"]);
  });

  test("leave their paragraph, and leave a dash in a table", () => {
    const statements = draftOf(citations("contradicted", "supported")).statements;
    const blocks: Block[] = [
      { kind: "paragraph", statements: ["q0", "q1"] },
      {
        kind: "table",
        columns: ["a", "b"],
        rows: [
          [["q0"], ["q1"]],
          ["c", ["q0"]],
          ["d", "e"],
        ],
      },
    ];
    expect(contradictedApart({ blocks, statements }).blocks.slice(0, 2)).toEqual([
      { kind: "paragraph", statements: ["q1"] },
      {
        kind: "table",
        columns: ["a", "b"],
        rows: [
          ["–", ["q1"]],
          ["d", "e"],
        ],
      },
    ]);
  });

  test("leave no heading without anything below it", () => {
    const statements = draftOf(citations("contradicted", "supported")).statements;
    const blocks: Block[] = [
      { kind: "heading", level: 2, text: "Answer", role: "answer" },
      { kind: "heading", level: 3, text: "In short" },
      { kind: "paragraph", statements: ["q0"] },
      { kind: "heading", level: 2, text: "Body" },
      { kind: "heading", level: 3, text: "At length" },
      { kind: "paragraph", statements: ["q1"] },
    ];
    const { blocks: left } = contradictedApart({ blocks, statements });
    expect(left.flatMap((block) => (block.kind === "heading" ? [block.text] : []))).toEqual([
      "Body",
      "At length",
      "What its quotes contradict",
    ]);
  });

  test("control: without one the page stays as it is", () => {
    const draft = draftOf(citations("supported", "not_checked"));
    expect(contradictedApart(draft).blocks).toBe(draft.blocks);
  });
});

describe("a review", () => {
  test("blocks no report by what it still asks for", () => {
    const checked = citations("supported");
    const directives = [{ kind: "other" as const, target: "q0", detail: "say it shorter" }];
    const { status, metrics } = judgeDraft(
      draftOf(checked),
      [{ draft: 1, decision: "revise", directives }],
      { citations: checked },
      LIMITS,
    );
    expect([status, metrics["accepted"]]).toEqual(["pass", false]);
  });

  test("has to have been made, where another draft could heed it", () => {
    const checked = citations("supported");
    const reasonsFor = (max_rounds: number): string[] =>
      judgeDraft(draftOf(checked), [], { citations: checked }, { ...LIMITS, max_rounds }).reasons;
    expect(reasonsFor(2)).toEqual(["the draft was not reviewed"]);
    expect(reasonsFor(1)).toEqual([]);
  });
});

test("no step depends on limits that only judge", () => {
  const other = { ...LIMITS, max_rounds: 9, max_unsupported_share: 1, min_citation_use: 1 };
  expect(workLimits(other)).toEqual(workLimits(LIMITS));
  expect(workLimits({ ...LIMITS, max_gaps: 9 })).not.toEqual(workLimits(LIMITS));
});
