// Sums up a subject by its quotes that were found in their sources. A point is a quote, with its score in the search.
import type { Tasks } from "../../ports/driver.ts";
import type { Summary } from "../../run/report/research.ts";

export function summarize({ findings, citations }: Tasks["summarize"]["input"]): Summary {
  const { subject, subject_kind, title, notes } = findings;
  const points = citations.citations.flatMap(({ citation_id, quote, found, part_ids = [] }, index) =>
    found
      ? [{ text: quote.text, citation_ids: [citation_id], score: findings.quotes[index]?.score ?? 0, part_ids }]
      : [],
  );
  return { schema_version: "summary.v1", subject, subject_kind, title, points, notes };
}
