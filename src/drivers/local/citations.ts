// Checks each quote against the stored bytes of its source.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { describeCause, RunError } from "../../kernel/errors.ts";
import type { Citation, Citations, FindingQuote } from "../../run/research.ts";
import { isVerbatim, type Quote } from "../../run/source.ts";

export async function checkCitations(
  { subject, findings }: Tasks["check_citations"]["input"],
  tools: TaskTools,
): Promise<Citations> {
  const citations: Citation[] = [];
  for (const [index, found] of findings.quotes.entries()) {
    tools.signal.throwIfAborted();
    const quote = quoteOf(found);
    citations.push({ citation_id: `${subject}-q${index + 1}`, subject, quote, ...(await check(quote, tools)) });
  }
  return { subject, citations };
}

type Checked = Pick<Citation, "found" | "verdict" | "method" | "reason">;

async function check(quote: Quote, tools: TaskTools): Promise<Checked> {
  let text: Uint8Array;
  try {
    text = await tools.sourceText(quote.source_digest);
  } catch (error) {
    // A stored source that is gone or altered is a verdict. A disk that fails now is not: the step is done again later.
    if (!(error instanceof RunError) || !UNUSABLE.has(error.code)) throw error;
    return notChecked(`the source cannot be read: ${describeCause(error)}`.slice(0, 500).toWellFormed());
  }
  if (isVerbatim(quote, text)) return { found: true, verdict: "supported", method: "verbatim" };
  return notChecked("the quote does not stand in its stored source");
}

const UNUSABLE: ReadonlySet<string> = new Set(["MISSING_ARTIFACT", "INTEGRITY_ERROR"]);

function notChecked(reason: string): Checked {
  return { found: false, verdict: "not_checked", method: "verbatim", reason };
}

function quoteOf({ source_digest, start, end, text, anchor }: FindingQuote): Quote {
  return { source_digest, start, end, text, ...(anchor === undefined ? {} : { anchor }) };
}
