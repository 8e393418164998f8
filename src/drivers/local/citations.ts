// Checks each quote against the stored bytes of its source.
import { given } from "../../kernel/given.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Citation, Citations } from "../../run/report/research.ts";
import { isVerbatim } from "../../run/report/source.ts";

/** Errors: those of a stored source that cannot be read. They are no verdict, so they end the tick. */
export async function checkCitations(
  { subject, findings }: Tasks["check_citations"]["input"],
  tools: TaskTools,
): Promise<Citations> {
  const citations: Citation[] = [];
  for (const [index, found] of findings.quotes.entries()) {
    tools.signal.throwIfAborted();
    const { source_digest, start, end, text, anchor } = found;
    const quote = { source_digest, start, end, text, ...given({ anchor }) };
    const stands = isVerbatim(quote, await tools.sourceText(quote.source_digest));
    const { part_ids, marks, code, coverage, answers, lacks } = found;
    citations.push({
      citation_id: `${subject}-q${index + 1}`,
      subject,
      quote,
      ...(stands ? STANDS : NOT_THERE),
      part_ids,
      ...given({ marks, code, coverage, answers, lacks }),
    });
  }
  return { subject, citations };
}

type Checked = Pick<Citation, "found" | "verdict" | "method" | "reason">;

const STANDS: Checked = { found: true, verdict: "supported", method: "verbatim" };
const NOT_THERE: Checked = {
  found: false,
  verdict: "not_checked",
  method: "verbatim",
  reason: "the quote does not stand in its stored source",
};
