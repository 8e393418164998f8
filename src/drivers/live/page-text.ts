// A draft as a model reads it: line by line, each statement with its id, what it names and its verdict.
import { idsIn, type Block, type Draft, type Statement } from "../../run/report.ts";

/** `idOf`: the citation id of a quote. */
export function pageText(
  draft: Draft,
  idOf: (quote: { source_digest: string; start: number; end: number }) => string,
): string {
  const line = (id: string): string => {
    const statement = draft.statements[id];
    return statement === undefined ? id : `${id} ${markOf(statement, idOf)}${statement.text}`;
  };
  return draft.blocks.flatMap((block) => linesOf(block, line)).join("\n");
}

function linesOf(block: Block, line: (id: string) => string): string[] {
  switch (block.kind) {
    case "heading":
      return ["", `${"#".repeat(block.level)} ${block.text}`];
    case "paragraph":
      return [...(block.lead === undefined ? [] : [`**${block.lead}:**`]), ...block.statements.map(line)];
    case "list":
      return block.items.map(
        ({ lead, statements }) => `- ${lead === undefined ? "" : `**${lead}:** `}${statements.map(line).join(" ")}`,
      );
    case "table": {
      const cell = (one: Block & { kind: "table" } extends { rows: (infer C)[][] } ? C : never): string =>
        typeof one === "string" ? one : one.map(line).join(" ");
      return [`| ${block.columns.join(" | ")} |`, ...block.rows.map((row) => `| ${row.map(cell).join(" | ")} |`)];
    }
    case "code":
      return [`code ${idsIn(block).map(line).join("")}`];
    case "excerpt":
      return [`> ${line(block.statement)}`];
  }
}

function markOf(
  statement: Statement,
  idOf: (quote: { source_digest: string; start: number; end: number }) => string,
): string {
  switch (statement.basis) {
    case "framing":
      return "";
    case "gap":
      return `[${statement.gap_id}] `;
    default: {
      const { basis, quotes, verdict, reason = "" } = statement;
      const from = basis === "derived" ? statement.from : [];
      const named = [...new Set(quotes.map(idOf)), ...from].join(", ");
      const doubt = verdict === "supported" ? "" : ` (${verdict}: ${reason})`;
      return `[${basis === "derived" ? "from " : ""}${named}]${doubt} `;
    }
  }
}
