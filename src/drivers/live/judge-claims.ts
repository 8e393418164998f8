// Judges claims of a report once more, by the verifying model.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { gapsNamedBy, type JudgedClaim, type Statement } from "../../run/report.ts";
import type { Quote } from "../../run/source.ts";
import { gapText } from "../briefs/noted-gaps.ts";
import { cellText } from "../page/written-page.ts";
import { pageOfDraft } from "../page/page-of-draft.ts";
import { inContext } from "../briefs/quote-context.ts";
import type { Asked } from "../briefs/verdicts.ts";
import { judgeSaid } from "./support.ts";

/** What is derived is judged with the texts that it follows from, and a cell with the names of its row and column. */
export async function judgeClaims(
  { claims, report }: Tasks["judge_claims"]["input"],
  tools: TaskTools,
): Promise<JudgedClaim[]> {
  const asked: Asked[] = [];
  const { statements } = pageOfDraft(report, () => "");
  for (const claim of claims) {
    const { statement_id, basis, quotes } = claim;
    const placed = statements.get(statement_id);
    const text = placed === undefined ? claim.text : cellText(placed);
    const contextsOf = async (own: typeof quotes) =>
      await inContext(
        own.map((quote) => ({ quote })),
        report.sources,
        tools,
      );
    const gapIds = gapsNamedBy(claim);
    const notFound = report.gaps.filter(({ gap_id }) => gapIds.includes(gap_id)).map(gapText);
    const head = { id: statement_id, text, quotes: await contextsOf(quotes), notFound };
    if (basis !== "derived") asked.push({ ...head, asks: "cited" });
    else {
      const named = claim.from.flatMap((id) => report.statements[id] ?? []);
      const from = named.map((one) => one.text);
      const behind = await contextsOf(named.flatMap(quotesShown));
      const computed = claim.expression === undefined ? {} : { expression: claim.expression };
      asked.push({ ...head, asks: "derived", from, behind, ...computed });
    }
  }
  const judged = await judgeSaid({ name: "verify-again", question: report.question }, asked, tools);
  return claims.flatMap(({ statement_id }) => {
    const one = judged.get(statement_id);
    if (one === undefined) return [];
    const { verdict, method, reason } = one;
    return [{ statement_id, verdict, method, ...(reason === undefined ? {} : { reason }) }];
  });
}

/** The quotes whose own words a statement is. */
function quotesShown(statement: Statement): Quote[] {
  return statement.basis === "quoted" ? statement.quotes : [];
}
