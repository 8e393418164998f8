// Judges claims of a report once more, by the verifying model.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { JudgedClaim } from "../../run/report.ts";
import { inContext } from "./quote-context.ts";
import { judgeSupport, type Asked } from "./support.ts";

/** What is derived is judged with the texts that it follows from. */
export async function judgeClaims(
  { claims, report }: Tasks["judge_claims"]["input"],
  tools: TaskTools,
): Promise<JudgedClaim[]> {
  const asked: Asked[] = [];
  for (const claim of claims) {
    const { statement_id, text, basis, quotes } = claim;
    const contexts = await inContext(
      quotes.map((quote) => ({ quote })),
      report.sources,
      tools,
    );
    const head = { id: statement_id, text, quotes: contexts };
    if (basis !== "derived") asked.push({ ...head, asks: "cited" });
    else {
      const from = claim.from.flatMap((id) => report.statements[id]?.text ?? []);
      const computed = claim.expression === undefined ? {} : { expression: claim.expression };
      asked.push({ ...head, asks: "derived", from, ...computed });
    }
  }
  const judged = await judgeSupport("verify-again", report.question, asked, tools);
  return claims.flatMap(({ statement_id }) => {
    const one = judged.get(statement_id);
    if (one === undefined) return [];
    const { verdict, method, reason } = one;
    return [{ statement_id, verdict, method, ...(reason === undefined ? {} : { reason }) }];
  });
}
