// Turns an earlier draft into a written page, so that single sentences of it can be written again.
import { memberOf } from "../../../kernel/member.ts";
import type { Block, Draft, Statement } from "../../../run/report/report.ts";
import { gapsNamedBy, idsIn, premisesIn } from "../../../run/report/statements.ts";
import type { Quote } from "../../../run/report/source.ts";
import type { Clause } from "./marks.ts";
import { labelsOf, placeCells, type WrittenPage, type WrittenStatement } from "./written-page.ts";

/**
 * Contradicted claims keep their verdict, but the heading above them is left out. The draft of this page sets them apart again,
 * unless the writer changes them.
 */
export function pageOfDraft(draft: Draft, idOf: (quote: Quote) => string): WrittenPage {
  const blocks = draft.blocks.filter((block) => block.kind !== "heading" || block.role !== "contradicted");
  const statements = new Map(
    blocks.flatMap((block) =>
      idsIn(block).flatMap((id) => {
        const statement = memberOf(draft.statements, id);
        return statement === undefined ? [] : [[id, writtenOf(statement, block, id, idOf)] as const];
      }),
    ),
  );
  placeCells(blocks, statements);
  const { title } = draft;
  const before = { statements: statements.size, blocks: blocks.length };
  return { title, blocks, statements, labels: labelsOf(blocks, title), taken: [], before };
}

function writtenOf(statement: Statement, block: Block, id: string, idOf: (quote: Quote) => string): WrittenStatement {
  const { basis, text } = statement;
  const quotes = "quotes" in statement ? statement.quotes : [];
  const against = basis === "cited" && statement.against !== undefined ? quotes.slice(statement.against) : [];
  const kind =
    block.kind === "excerpt" || basis === "nearest"
      ? "excerpt"
      : basis === "quoted"
        ? "cited"
        : basis === "framing"
          ? "unmarked"
          : basis;
  const expression = basis === "derived" ? statement.expression : undefined;
  return {
    statement_id: id,
    text,
    kind,
    citation_ids: [...new Set(quotes.map(idOf))],
    from: [...premisesIn(statement)],
    gap_ids: gapsNamedBy(statement),
    ...(against.length === 0 ? {} : { against: [...new Set(against.map(idOf))] }),
    ...(basis === "cited" && statement.clauses !== undefined ? { clauses: clausesOf(statement, idOf) } : {}),
    place: { kind: block.kind === "code" ? "code" : "sentence" },
    expression,
  };
}

function clausesOf(
  { text, quotes, clauses = [] }: Extract<Statement, { basis: "cited" }>,
  idOf: (quote: Quote) => string,
): Clause[] {
  const bytes = Buffer.from(text);
  return clauses.map(({ end, quotes: numbers }) => ({
    end: bytes.toString("utf8", 0, end).length,
    citation_ids: [...new Set(numbers.flatMap((at) => quotes[at] ?? []).map(idOf))],
  }));
}
