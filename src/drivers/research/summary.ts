// Sums up a subject by its citations as they are, so that the writer reads quotes and not what another model made of them.
import { shortened } from "../../kernel/shortened.ts";
import type { Tasks } from "../../ports/driver.ts";
import type { Summary } from "../../run/report/research.ts";

const MAX_POINT_LENGTH = 600;

export function summarize({ findings, citations, limits }: Tasks["summarize"]["input"]): Promise<Summary> {
  const { subject, subject_kind, title, notes, gaps = [] } = findings;
  const found = citations.citations.filter((citation) => citation.found).slice(0, limits.max_quotes_per_subject);
  const points: Summary["points"] = [];
  let words = 0;
  for (const [index, { citation_id, statement, quote, part_ids }] of found.entries()) {
    const text = statement ?? shortened(quote.text, MAX_POINT_LENGTH);
    words += text.split(/\s+/u).length;
    if (points.length > 0 && words > limits.max_words_per_subject) break;
    const parts = part_ids === undefined ? {} : { part_ids };
    points.push({ text, citation_ids: [citation_id], score: 1 / (index + 1), ...parts });
  }
  const head = { schema_version: "summary.v1" as const, subject, subject_kind, title };
  return Promise.resolve({
    ...head,
    points,
    ...(notes.length === 0 ? {} : { notes }),
    ...(gaps.length === 0 ? {} : { gaps }),
  });
}
