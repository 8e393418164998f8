// The numbers of a report that stand in nothing it names.
import { uncitedNumbers } from "../run/claim-numbers.ts";
import { statementsOf, type Draft, type Statement } from "../run/report.ts";

const MOST_NAMED = 3;

/** A number stands in the quotes of its statement, in the question, or in what it is derived from. */
export function numberFaults(draft: Draft): string[] {
  return statementsOf(draft).flatMap((statement) => {
    const uncited = uncitedNumbers(statement.text, [{ text: draft.question }, ...textsBehind(statement, draft)]);
    if (uncited.length === 0) return [];
    const named = uncited.slice(0, MOST_NAMED).join(", ");
    return [`statement ${statement.statement_id} holds numbers that nothing it names holds: ${named}`];
  });
}

function textsBehind(statement: Statement, { statements, gaps }: Draft): { text: string }[] {
  switch (statement.basis) {
    case "framing":
      return [];
    case "gap":
      return gaps.filter(({ gap_id }) => gap_id === statement.gap_id);
    case "quoted":
    case "cited":
      return statement.quotes;
    case "derived": {
      const named = statement.from.flatMap((id) => statements[id] ?? []);
      return [...statement.quotes, ...named];
    }
  }
}
