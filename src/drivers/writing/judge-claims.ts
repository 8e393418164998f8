// Has the verifier judge claims of a report again, as it judged them while the page was written.
import { memberOf } from "../../kernel/member.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { JudgedClaim } from "../../run/report/report.ts";
import { spanKey, type Quote } from "../../run/report/source.ts";
import { inContext } from "../verdicts/quote-context.ts";
import { judgeSaid } from "../verdicts/support.ts";
import { gapText } from "./noted-gaps.ts";
import { statementToJudge } from "./to-judge.ts";
import { pageOfDraft } from "./page/page-of-draft.ts";

export async function judgeClaims(
  { claims, report }: Tasks["judge_claims"]["input"],
  tools: TaskTools,
): Promise<JudgedClaim[]> {
  const behind = claims.flatMap((claim) => (claim.basis === "derived" ? claim.from : []));
  const quotes = [...claims, ...behind.flatMap((id) => memberOf(report.statements, id) ?? [])].flatMap((one) =>
    "quotes" in one ? one.quotes : [],
  );
  const keys = [...new Set(quotes.map(spanKey))];
  const idOf = (quote: Quote): string => `q${keys.indexOf(spanKey(quote)) + 1}`;
  const contexts = await inContext(
    quotes.map((quote) => ({ quote })),
    report.sources,
    tools,
  );
  const named = {
    contexts: new Map(contexts.map((context) => [idOf(context.quote), context])),
    gaps: new Map(report.gaps.map((gap) => [gap.gap_id, gapText(gap)])),
  };
  const page = pageOfDraft(report, idOf);
  const statements = claims.flatMap(({ statement_id }) => {
    const statement = page.statements.get(statement_id);
    return statement === undefined ? [] : [statementToJudge(statement, page, named)];
  });
  const judged = await judgeSaid({ name: "verify-again", question: report.question }, statements, tools);
  return claims.flatMap(({ statement_id }) => {
    const one = judged.get(statement_id);
    if (one === undefined) return [];
    const { verdict, method, reason } = one;
    return [{ statement_id, verdict, method, reason }];
  });
}
