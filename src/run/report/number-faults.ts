// Checks the numbers and addresses of a report: each has to be in what its statement names. Computed numbers are computed again.
import { memberOf } from "../../kernel/member.ts";
import { countsOf, strangeLiterals, showsResult, uncitedNumbers, withPlainNumbers } from "./claim-numbers.ts";
import { labelsIn } from "./labels.ts";
import type { Draft, Statement } from "./report.ts";
import { gapsNamedBy, isQuoting, premisesIn, quotingOf, statementsOf } from "./statements.ts";
import { isPlaceholder, strangeAddresses } from "./shown-addresses.ts";
import { textUnderHeadings, type Quote } from "./source.ts";

/** A fault of a statement, of a label, or of the draft as a whole. */
export interface DraftFault {
  statement_id?: string;
  label?: string;
  text: string;
}

const MOST_NAMED = 3;
/** "2. What it costs" */
const ORDINAL = /^\s*\d+[.)]\s/u;

/**
 * The numbers that gate E refuses. A number is refused when it is neither in what the statement names (or below the
 * label) nor in the question, and when it counts nothing on the page.
 */
export function numberFaults(draft: Draft): DraftFault[] {
  const { question } = draft;
  const counts = countsOf(draft.blocks);
  return unfounded(draft, "numbers", (text, behind, statement) => {
    // The value that we suggest is ours.
    if (statement?.basis === "suggested") return [];
    const expression = statement?.basis === "derived" ? statement.expression : undefined;
    const other = { question, counts, ...(expression === undefined ? {} : { expression }) };
    return uncitedNumbers(statement === undefined ? text.replace(ORDINAL, "") : text, behind, other);
  });
}

/**
 * The addresses that gate E refuses, as it does numbers. `origins`: where the sources of the run come from, which every
 * statement may name.
 */
export function addressFaults(draft: Draft, origins: readonly string[]): DraftFault[] {
  return unfounded(draft, "addresses", (text, behind, statement) => {
    const strange = strangeAddresses(text, [...behind.map((one) => one.text), ...origins, draft.question]);
    return statement?.basis === "suggested" ? strange.filter((one) => !isPlaceholder(one)) : strange;
  });
}

/** What `find` finds in statements, and in labels over all that is below them. */
function unfounded(
  draft: Draft,
  what: string,
  find: (text: string, behind: { text: string }[], statement?: Statement) => string[],
): DraftFault[] {
  const inStatements = statementsOf(draft).flatMap((statement) => {
    const found = find(statement.text, textsBehind(statement, draft), statement);
    if (found.length === 0) return [];
    const { statement_id } = statement;
    const named = found.slice(0, MOST_NAMED).join(", ");
    return [{ statement_id, text: `statement ${statement_id} holds ${what} that nothing it names holds: ${named}` }];
  });
  const inLabels = labelsIn(draft.blocks, draft.title).flatMap(({ text, of, below }) => {
    // The label of a row is judged by itself, and what it counts is in no cell.
    if (of === "row") return [];
    const texts = below
      .flatMap((id) => memberOf(draft.statements, id) ?? [])
      // No label may say what only a suggestion says.
      .flatMap((statement) => [
        ...(statement.basis === "suggested" ? [] : [statement]),
        ...textsBehind(statement, draft),
      ]);
    const found = find(text, texts);
    if (found.length === 0) return [];
    const named = found.slice(0, MOST_NAMED).join(", ");
    return [{ label: text, text: `the label “${text}” holds ${what} that nothing below it holds: ${named}` }];
  });
  return [...inStatements, ...inLabels];
}

/** The computed numbers that gate E and `verify` refuse. */
export function arithmeticFaults(draft: Draft): DraftFault[] {
  return statementsOf(draft).flatMap((statement) => {
    if (statement.basis !== "derived" || statement.expression === undefined) return [];
    const { statement_id, text, expression } = statement;
    const named = [draft.question, ...textsBehind(statement, draft).map((one) => one.text)];
    const strange = strangeLiterals(expression, named).slice(0, MOST_NAMED);
    if (strange.length > 0) {
      const what = `is computed from numbers that nothing it names holds: ${strange.join(", ")}`;
      return [{ statement_id, text: `claim ${statement_id} ${what}` }];
    }
    if (showsResult(text, withPlainNumbers(expression, named))) return [];
    return [{ statement_id, text: `claim ${statement_id} does not say what ${expression} comes to` }];
  });
}

/**
 * The quotes whose headings have to be checked, because a number of the draft is in a heading and in nothing else that
 * is named. Other headings are taken as the draft names them.
 */
export function quotesUnderNumbers(draft: Draft): Quote[] {
  const faultsIn = (one: Draft): DraftFault[] => [...numberFaults(one), ...arithmeticFaults(one)];
  const known = new Set(faultsIn(draft).map(({ text }) => text));
  const resting = faultsIn(withoutHeadings(draft)).filter(({ text }) => !known.has(text));
  const ids = new Set(resting.map(({ statement_id }) => statement_id));
  // For a label it is not known which quote below it holds the number, so all are checked.
  const all = quotingOf(draft).filter(({ statement_id }) => ids.has(undefined) || ids.has(statement_id));
  return all.flatMap(({ quotes }) => quotes);
}

function withoutHeadings(draft: Draft): Draft {
  const bare = (statement: Statement): Statement =>
    isQuoting(statement)
      ? { ...statement, quotes: statement.quotes.map(({ anchor: _anchor, ...quote }) => quote) }
      : statement;
  return {
    ...draft,
    statements: Object.fromEntries(Object.entries(draft.statements).map(([id, one]) => [id, bare(one)])),
  };
}

/** The texts that a statement may take its numbers from. Each quote comes with its title and its headings. */
function textsBehind(statement: Statement, { statements, sources, gaps }: Draft): { text: string }[] {
  const namedGaps = gaps.filter(({ gap_id }) => gapsNamedBy(statement).includes(gap_id));
  const noted = namedGaps.flatMap(({ text, reason }) => [{ text }, { text: reason }]);
  if (!isQuoting(statement)) return noted;
  const quotes = statement.quotes.map((quote) => ({ text: textUnderHeadings(quote, titleOf(quote, sources)) }));
  const named = premisesIn(statement).flatMap((id) => memberOf(statements, id) ?? []);
  return [...quotes, ...named, ...noted];
}

function titleOf({ source_digest }: Quote, sources: Draft["sources"]): string {
  return sources.find((source) => source.source_digest === source_digest)?.title ?? "";
}
