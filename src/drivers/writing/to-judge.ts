// The words of a page that are put to the verifier: its statements and labels, and the text behind each.
import type { QuoteInContext } from "../verdicts/quote-context.ts";
import type { StatementToJudge } from "../verdicts/verdicts-brief.ts";
import {
  cellText,
  isQuotation,
  type WrittenLabel,
  type WrittenPage,
  type WrittenStatement,
} from "./page/written-page.ts";

/** What statements of a page name. */
export interface NamedOnPage {
  /** By citation id. */
  contexts: ReadonlyMap<string, QuoteInContext>;
  /** What was looked for in vain, by gap id. */
  gaps: ReadonlyMap<string, string>;
}

/** The question to the verifier about a statement. Cells come with the names of their row and column. */
export function statementToJudge(statement: WrittenStatement, page: WrittenPage, named: NamedOnPage): StatementToJudge {
  const { statement_id: id, kind, from, expression } = statement;
  const notFound = statement.gap_ids.flatMap((one) => named.gaps.get(one) ?? []);
  const head = { id, text: cellText(statement), notFound };
  if (kind === "gap") return { ...head, asks: "gap", quotes: [] };
  const quotes = statement.citation_ids.flatMap((name) => {
    const context = named.contexts.get(name);
    return context === undefined ? [] : [{ ...context, name }];
  });
  const against = quotes.filter(({ name }) => statement.against?.includes(name));
  return {
    ...head,
    asks: kind === "excerpt" ? "cited" : against.length > 0 ? "disagree" : kind,
    quotes,
    against,
    ...textsBehind(from, page, named, cellText),
    expression,
  };
}

/** The question about a label. Cells come without the names of rows and columns, which are labels themselves. */
export function labelToJudge(
  { label_id: id, text, below }: WrittenLabel,
  page: WrittenPage,
  named: NamedOnPage,
): StatementToJudge {
  return { id, text, asks: "label", quotes: [], ...textsBehind(below, page, named, (one) => one.text) };
}

/** `from`: the texts of statements, and for an excerpt its quote. `behind`: the quotes whose words are there. */
function textsBehind(
  ids: readonly string[],
  page: WrittenPage,
  { contexts }: NamedOnPage,
  textOf: (statement: WrittenStatement) => string,
): Required<Pick<StatementToJudge, "from" | "behind">> {
  const statements = ids.flatMap((id) => page.statements.get(id) ?? []);
  const quotesOf = ({ citation_ids }: WrittenStatement) => citation_ids.flatMap((id) => contexts.get(id) ?? []);
  return {
    from: statements.flatMap((one) => (one.kind === "excerpt" ? (quotesOf(one)[0]?.quote.text ?? []) : textOf(one))),
    behind: statements.flatMap((one) => (isQuotation(one, quotesOf(one)) ? quotesOf(one) : [])),
  };
}
