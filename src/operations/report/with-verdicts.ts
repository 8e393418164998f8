// A report with verdicts that were given later.
import { contradictedApart } from "../../run/report/contradicted-apart.ts";
import { withDoubtedConclusions } from "../../run/report/doubted-conclusions.ts";
import type { Draft, JudgedClaim, Report, Statement } from "../../run/report/report.ts";
import { isClaim } from "../../run/report/statements.ts";

const JUDGED_LATER = "Claims that were not checked before were judged once more for this version.";

/** Claims that are contradicted now are listed apart; conclusions from doubtful claims count as not checked. */
export function withVerdicts(report: Report, judged: readonly JudgedClaim[]): Draft {
  const byId = new Map(judged.map((one) => [one.statement_id, one]));
  const judgedAnew = (statement: Statement): Statement => {
    const verdict = byId.get(statement.statement_id);
    if (verdict === undefined || !isClaim(statement)) return statement;
    const { reason: _before, ...claim } = statement;
    return { ...claim, ...verdict };
  };
  const { question, title, sources, gaps, parts, blocks } = report;
  const { scope: _ofThatVersion, notes, ...made } = report.made;
  const statements = Object.fromEntries(
    Object.entries(report.statements).map(([id, statement]) => [id, judgedAnew(statement)]),
  );
  return {
    question,
    ...(title === undefined ? {} : { title }),
    ...contradictedApart(withDoubtedConclusions({ blocks, statements })),
    sources,
    gaps,
    parts,
    made: { ...made, notes: [...new Set([...notes, JUDGED_LATER])] },
  };
}
