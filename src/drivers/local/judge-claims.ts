// Judges claims again: a claim that is a quote is supported when the quote stands in its source. Others keep their verdict.
import { given } from "../../kernel/given.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Claim, JudgedClaim } from "../../run/report/report.ts";
import { isVerbatim } from "../../run/report/source.ts";

export async function judgeClaims(
  { claims }: Tasks["judge_claims"]["input"],
  tools: TaskTools,
): Promise<JudgedClaim[]> {
  const judged: JudgedClaim[] = [];
  for (const claim of claims) {
    tools.signal.throwIfAborted();
    const { statement_id, verdict, method, reason } = claim;
    if (await isItsQuote(claim, tools)) judged.push({ statement_id, verdict: "supported", method: "verbatim" });
    else judged.push({ statement_id, verdict, method, ...given({ reason }) });
  }
  return judged;
}

async function isItsQuote({ text, quotes }: Claim, tools: TaskTools): Promise<boolean> {
  for (const quote of quotes)
    if (quote.text === text && isVerbatim(quote, await tools.sourceText(quote.source_digest))) return true;
  return false;
}
