// Finds what our suggestions may not do: stand for what was found, be many, or name nothing that they come from.
import { memberOf } from "../../kernel/member.ts";
import type { DraftFault } from "./number-faults.ts";
import type { Draft, Statement } from "./report.ts";
import { claimsOf, isQuoting, premisesIn, statementsOf } from "./statements.ts";
import { spanKey } from "./source.ts";

/** At most one statement in so many is a suggestion. */
export const STATEMENTS_FOR_EACH = 5;
/** The most suggestions that come from what answers one part of the question. */
const MOST_OF_PART = 3;

type Suggestion = Extract<Statement, { basis: "suggested" }>;

export function suggestionFaults(draft: Draft): DraftFault[] {
  const all = statementsOf(draft);
  const suggestions = all.filter((one) => one.basis === "suggested");
  if (suggestions.length === 0) return [];
  const fault = ({ statement_id }: Pick<Statement, "statement_id">, what: string): DraftFault => ({
    statement_id,
    text: `${statement_id} ${what}`,
  });
  const isSuggested = (id: string): boolean => memberOf(draft.statements, id)?.basis === "suggested";
  const most = Math.floor(all.length / STATEMENTS_FOR_EACH);
  return [
    ...suggestions
      .slice(most)
      .map((one) => fault(one, `is one suggestion too many: ${most} of ${all.length} statements may be`)),
    ...suggestions
      .filter((one) => keysBehind(one, draft).size === 0)
      .map((one) => fault(one, "is a suggestion that comes from no quote")),
    ...withoutRoom(suggestions, draft).map((one) =>
      fault(one, `is beyond the ${MOST_OF_PART} suggestions that may come from the answers to one part`),
    ),
    ...draft.parts.flatMap(({ answered_by = [] }) =>
      answered_by
        .filter(isSuggested)
        .map((statement_id) => fault({ statement_id }, "is a suggestion, and counted as an answer")),
    ),
    ...claimsOf(draft)
      .filter((claim) => premisesIn(claim).some(isSuggested))
      .map((claim) => fault(claim, "follows from a suggestion, which was found nowhere")),
  ];
}

/** Those for which no part has room that they can be of: one whose answers name a quote that they come from. */
function withoutRoom(suggestions: readonly Suggestion[], draft: Draft): Suggestion[] {
  const parts = draft.parts.map(({ answered_by = [] }) => {
    const claims = answered_by.flatMap((id) => memberOf(draft.statements, id) ?? []).filter(isQuoting);
    return { spans: new Set(claims.flatMap(({ quotes }) => quotes.map(spanKey))), count: 0 };
  });
  return suggestions.filter((one) => {
    const behind = keysBehind(one, draft);
    const own = parts.filter(({ spans }) => !spans.isDisjointFrom(behind)).sort((a, b) => a.count - b.count);
    const [emptiest] = own;
    if (emptiest === undefined) return false;
    if (emptiest.count === MOST_OF_PART) return true;
    emptiest.count++;
    return false;
  });
}

/** The spans that a statement rests on, also through others. */
function keysBehind(
  statement: Statement | undefined,
  draft: Pick<Draft, "statements">,
  seen = new Set<string>(),
): Set<string> {
  if (statement === undefined || !isQuoting(statement) || seen.has(statement.statement_id)) return new Set();
  seen.add(statement.statement_id);
  const behind = premisesIn(statement).flatMap((id) => [...keysBehind(memberOf(draft.statements, id), draft, seen)]);
  return new Set([...statement.quotes.map(spanKey), ...behind]);
}
