// An earlier draft as a written page, so that single sentences of it can be written again.
import { idsIn, type Block, type Draft, type Statement } from "../../run/report.ts";
import type { Quote } from "../../run/source.ts";
import { labelsOf, type WrittenPage, type WrittenStatement } from "./written-page.ts";

/** What was contradicted stands among the others again: it is judged anew, and set apart again if it has to be. */
export function pageOfDraft(draft: Draft, idOf: (quote: Quote) => string): WrittenPage {
  const blocks = draft.blocks.filter((block) => block.kind !== "heading" || block.role !== "contradicted");
  const statements = new Map(
    blocks.flatMap((block) =>
      idsIn(block).flatMap((id) => {
        const statement = draft.statements[id];
        return statement === undefined ? [] : [[id, writtenOf(statement, block, id, idOf)] as const];
      }),
    ),
  );
  const { title } = draft;
  return { ...(title === undefined ? {} : { title }), blocks, statements, labels: labelsOf(blocks), taken: [] };
}

function writtenOf(statement: Statement, block: Block, id: string, idOf: (quote: Quote) => string): WrittenStatement {
  const { basis, text } = statement;
  const quotes = "quotes" in statement ? statement.quotes : [];
  const kind =
    block.kind === "excerpt" ? "excerpt" : basis === "quoted" ? "cited" : basis === "framing" ? "unmarked" : basis;
  const expression = basis === "derived" ? statement.expression : undefined;
  return {
    statement_id: id,
    text,
    kind,
    citation_ids: [...new Set(quotes.map(idOf))],
    from: basis === "derived" ? statement.from : [],
    gap_ids: basis === "gap" ? [statement.gap_id] : [],
    place: placeIn(block, id),
    ...(expression === undefined ? {} : { expression }),
  };
}

function placeIn(block: Block, id: string): WrittenStatement["place"] {
  if (block.kind === "code") return { kind: "code" };
  if (block.kind !== "table") return { kind: "sentence" };
  for (const row of block.rows) {
    const column = row.findIndex((cell) => typeof cell !== "string" && cell.includes(id));
    const [label] = row;
    if (column !== -1)
      return { kind: "cell", row: typeof label === "string" ? label : "", column: block.columns[column] ?? "" };
  }
  return { kind: "cell", row: "", column: "" };
}
