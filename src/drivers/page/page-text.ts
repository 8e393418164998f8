// A draft as a model reads it: line by line, each statement with its id, what it names and its verdict.
import { gapsNamedBy, idsIn, sectionsOf, type Block, type Cell, type Draft, type Statement } from "../../run/report.ts";

/** The citation id of a quote. */
export type IdOfQuote = (quote: { source_digest: string; start: number; end: number }) => string;

export function pageText(draft: Draft, idOf: IdOfQuote): string {
  return pageLines(draft, idOf).join("\n");
}

/** Where it is too long, each section is shown as far as its share of the room goes. */
export function fittingPageText(draft: Draft, idOf: IdOfQuote, most: number): string {
  const whole = pageText(draft, idOf);
  if (whole.length <= most) return whole;
  const room = most / whole.length;
  const sections = sectionsOf(draft).map(({ heading, blocks }) => {
    const lines = pageLines({ ...draft, blocks: heading === null ? blocks : [heading, ...blocks] }, idOf);
    let left = lines.reduce((sum, one) => sum + one.length + 1, 0) * room;
    const kept = lines.filter((one) => (left -= one.length + 1) >= 0);
    return kept.length === lines.length ? kept : [...kept, "…"];
  });
  return sections.flat().join("\n");
}

function pageLines(draft: Draft, idOf: IdOfQuote): string[] {
  const line = (id: string): string => {
    const statement = draft.statements[id];
    return statement === undefined ? id : `${id} ${markOf(statement, idOf)}${statement.text}`;
  };
  return draft.blocks.flatMap((block) => linesOf(block, line));
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
      const cell = (one: Cell): string => (typeof one === "string" ? one : one.map(line).join(" "));
      return [`| ${block.columns.join(" | ")} |`, ...block.rows.map((row) => `| ${row.map(cell).join(" | ")} |`)];
    }
    case "code":
      return [`code ${idsIn(block).map(line).join("")}`];
    case "excerpt":
      return [`> ${line(block.statement)}`];
  }
}

function markOf(statement: Statement, idOf: IdOfQuote): string {
  switch (statement.basis) {
    case "framing":
      return "";
    case "gap":
      return `[${gapsNamedBy(statement).join(", ")}] `;
    default: {
      const { basis, quotes, verdict, reason = "" } = statement;
      const from = basis === "derived" ? statement.from : [];
      const named = [...new Set(quotes.map(idOf)), ...from, ...gapsNamedBy(statement)].join(", ");
      const doubt = verdict === "supported" ? "" : ` (${verdict}: ${reason})`;
      return `[${basis === "derived" ? "from " : ""}${named}]${doubt} `;
    }
  }
}
