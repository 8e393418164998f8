// Judges claims of a report once more, by the verifying model.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { JudgedClaim } from "../../run/report.ts";
import { judgeSupport } from "./support.ts";

export async function judgeClaims(
  { claims }: Tasks["judge_claims"]["input"],
  tools: TaskTools,
): Promise<JudgedClaim[]> {
  const statements = claims.map(({ claim_id, text, quotes }) => ({
    id: claim_id,
    text,
    quotes: quotes.map((quote) => quote.text),
  }));
  const judged = await judgeSupport("verify-again", statements, tools);
  return claims.flatMap(({ claim_id }) => {
    const judgement = judged.get(claim_id);
    return judgement === undefined ? [] : [{ claim_id, ...judgement }];
  });
}
