// The summary of a subject: its quotes that stand in their sources, in their order. Nothing is rephrased. A point scores what its quote scored in the search.
import type { Tasks } from "../../ports/driver.ts";
import type { Summary } from "../../run/research.ts";

export function summarize({ findings, citations }: Tasks["summarize"]["input"]): Summary {
  const { subject, subject_kind, title, notes } = findings;
  const points = citations.citations.flatMap(({ citation_id, quote, found, part_ids = [] }, index) =>
    found
      ? [{ text: quote.text, citation_ids: [citation_id], score: findings.quotes[index]?.score ?? 0, part_ids }]
      : [],
  );
  return { schema_version: "summary.v1", subject, subject_kind, title, points, notes };
}
