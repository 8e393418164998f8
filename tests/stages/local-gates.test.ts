// What the stages judge and hand on of a report: comparisons in gate E, and what is nearest when nothing was found.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { Draft } from "../../src/run/report.ts";
import type { Citation, Findings, NearMiss } from "../../src/run/research.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";
import { findingsMarkdown } from "../../src/stages/findings-markdown.ts";
import { judgeDraft } from "../../src/stages/review.ts";
import { nearestOf } from "../../src/stages/waves.ts";

const source_digest = digestOfBytes("source");

function quoted(
  number: number,
  text: string,
): { citation: Citation; claim: Draft["sections"][number]["claims"][number] } {
  const quote = { source_digest, start: number * 100, end: number * 100 + text.length, text };
  const checked = { verdict: "supported" as const, method: "verbatim" };
  return {
    citation: { citation_id: `c${number}`, subject: "overview", quote, found: true, ...checked },
    claim: { claim_id: `c${number}`, text, ...checked, quotes: [quote] },
  };
}

const COLD = quoted(1, "The cellar has 8 °C in winter.");
const WARM = quoted(2, "The cellar has 12 °C in winter.");
const DRAFT: Draft = {
  question: "How cold is the cellar?",
  sections: [{ title: "Answer", role: "answer", claims: [COLD.claim, WARM.claim] }],
  sources: [{ number: 1, source_digest, title: "Cellar", origin: "notes/cellar.md" }],
  gaps: [],
};

function reasonsFor(sides: [string, string][]): string[] {
  const comparison = {
    kind: "numbers" as const,
    title: "Cellar",
    method: "lexical-numbers",
    sides: sides.map(([claim_id, value]) => ({ claim_id, value })),
  };
  return judgeDraft(
    { ...DRAFT, comparisons: [comparison] },
    [{ draft: 1, decision: "accept", directives: [] }],
    [COLD.citation, WARM.citation],
    LIMITS_BY_MODE.standard,
  ).reasons;
}

describe("gate E", () => {
  test("passes a comparison of what the claims quote", () => {
    expect(
      reasonsFor([
        ["c1", "8 °C"],
        ["c2", "12 °C"],
      ]),
    ).toEqual([]);
  });

  test("refuses one that names an unknown claim, or words that its quotes do not hold", () => {
    const reasons = reasonsFor([
      ["c1", "9 °C"],
      ["c7", "12 °C"],
    ]);
    expect(reasons).toEqual([
      'the comparison "Cellar" names words that no quote of claim c1 holds: 9 °C',
      'the comparison "Cellar" names claim c7, which the report does not hold',
    ]);
  });
});

describe("what is nearest", () => {
  const miss = (origin: string, lacks: string[]): NearMiss => ({
    origin,
    title: origin,
    text: "A cellar is dark.",
    lacks,
  });
  const found = (subject: string, nearest: NearMiss[]): Findings => ({
    schema_version: "findings.v1",
    subject,
    subject_kind: "perspective",
    title: subject,
    questions: [],
    quotes: [],
    sources: [],
    notes: ["Nothing new and relevant was found."],
    nearest,
  });

  test("stands once for each document, with what lacks least first", () => {
    const all = [
      found("overview", [miss("a", ["winter", "wine"]), miss("b", ["winter"])]),
      found("practice", [miss("a", ["wine"]), miss("c", ["winter", "wine", "oak"])]),
    ];
    expect(nearestOf(all).map(({ origin, lacks }) => `${origin}: ${lacks.join(" ")}`)).toEqual([
      "a: wine",
      "b: winter",
      "c: winter wine oak",
    ]);
  });

  test("is told in the findings, too", () => {
    expect(findingsMarkdown(found("overview", [miss("a", ["wine"])]))).toContain(
      "## Nearest\n\n> A cellar is dark.\n\n- `a`, lacks: wine\n",
    );
    expect(findingsMarkdown(found("overview", []))).not.toContain("## Nearest");
  });
});
