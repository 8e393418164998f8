// The numbers of a report: each stands in what its statement names, and computed ones are computed again.
import { countsOf, strangeLiterals, showsResult, uncitedNumbers, withPlainNumbers } from "./claim-numbers.ts";
import { statementsOf, type Draft, type Statement } from "./report.ts";

const MOST_NAMED = 3;

/** What gate E refuses: numbers that stand neither in what is named nor in the question, and that count nothing listed. */
export function numberFaults(draft: Draft): string[] {
  const { question } = draft;
  const counts = countsOf(draft.blocks);
  return statementsOf(draft).flatMap((statement) => {
    const expression = statement.basis === "derived" ? statement.expression : undefined;
    const other = { question, counts, ...(expression === undefined ? {} : { expression }) };
    const uncited = uncitedNumbers(statement.text, textsBehind(statement, draft), other);
    if (uncited.length === 0) return [];
    const named = uncited.slice(0, MOST_NAMED).join(", ");
    return [`statement ${statement.statement_id} holds numbers that nothing it names holds: ${named}`];
  });
}

/** What gate E and `verify` refuse of computed numbers. */
export function arithmeticFaults(draft: Draft): string[] {
  return statementsOf(draft).flatMap((statement) => {
    if (statement.basis !== "derived" || statement.expression === undefined) return [];
    const { statement_id, text, expression } = statement;
    const named = [draft.question, ...textsBehind(statement, draft).map((one) => one.text)];
    const strange = strangeLiterals(expression, named).slice(0, MOST_NAMED);
    if (strange.length > 0)
      return [`claim ${statement_id} is computed from numbers that nothing it names holds: ${strange.join(", ")}`];
    if (showsResult(text, withPlainNumbers(expression, named))) return [];
    return [`claim ${statement_id} does not say what ${expression} comes to`];
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
