// The summary of a subject: its quotes that were found in their sources, best first. Nothing is rephrased.
import type { Tasks } from "../../ports/driver.ts";
import type { Summary, FindingQuote } from "../../run/research.ts";
import type { Quote } from "../../run/source.ts";

export function summarize({ findings, citations }: Tasks["summarize"]["input"]): Summary {
  const { subject, subject_kind, title, notes } = findings;
  const quotes = new Map(findings.quotes.map((quote) => [spanOf(quote), quote]));
  const points = citations.citations
    .filter((citation) => citation.found && citation.verdict === "supported")
    .map(({ citation_id, quote }) => ({
      text: quote.text,
      citation_ids: [citation_id],
      score: quotes.get(spanOf(quote))?.score ?? 0,
      part_ids: quotes.get(spanOf(quote))?.part_ids ?? [],
    }));
  // The sort is stable: equal scores stay in the order of the findings.
  points.sort((left, right) => right.score - left.score);
  return { schema_version: "summary.v1", subject, subject_kind, title, points, notes };
}

function spanOf({ source_digest, start, end }: Quote | FindingQuote): string {
  return `${source_digest} ${start} ${end}`;
}
