// Which excerpt leads the answer of a part: the first of the search that covers the part alone.
import { expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { draft } from "../../src/drivers/local/draft.ts";
import type { Tasks } from "../../src/ports/driver.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";

type Input = Tasks["draft"]["input"];

const DIGEST = digestOfBytes("a source");

/** Excerpts in the order of the search, by how much of the one part each holds alone. */
function pageOf(coverages: readonly number[], ofAll: number): string[] {
  const citations = coverages.map((coverage, index) => ({
    citation_id: `c${index + 1}`,
    subject: "p1",
    quote: { source_digest: DIGEST, start: index, end: index + 1, text: `excerpt ${index + 1}` },
    found: true,
    verdict: "supported" as const,
    method: "verbatim",
    part_ids: ["p1"],
    coverage,
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
    summaries: [],
    citations: [{ schema_version: "citations.v1", subject: "p1", citations }] as unknown as Input["citations"],
    sources: [{ source_digest: DIGEST, title: "Pumps", origin: "corpus:docs/pumps.md" }] as unknown as Input["sources"],
    limits: LIMITS_BY_MODE.standard,
    directives: [],
    previous: null,
  };
  return draft(input).blocks.flatMap((block) => (block.kind === "excerpt" ? [block.statement] : []));
}

test("the first that covers the part alone leads, and the others keep their order", () => {
  expect(pageOf([0.2, 0.3, 0.7, 0.9], 0.9)).toEqual(["c3", "c1", "c2", "c4"]);
});

test("where none does so alone, the first of the search leads", () => {
  expect(pageOf([0.4, 0.3, 0.45], 0.6)).toEqual(["c1", "c2", "c3"]);
});
