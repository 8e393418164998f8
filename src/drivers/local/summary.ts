// The summary of a subject: its quotes that stand in their sources, in their order. Nothing is rephrased.
import type { Tasks } from "../../ports/driver.ts";
import type { Summary } from "../../run/research.ts";

export function summarize({ findings, citations }: Tasks["summarize"]["input"]): Summary {
  const { subject, subject_kind, title, notes } = findings;
  const points = citations.citations
    .filter(({ found }) => found)
    .map(({ citation_id, quote, coverage = 0, part_ids = [] }) => ({
      text: quote.text,
      citation_ids: [citation_id],
      score: coverage,
      part_ids,
    }));
  return { schema_version: "summary.v1", subject, subject_kind, title, points, notes };
}
