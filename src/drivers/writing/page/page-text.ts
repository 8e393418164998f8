// Writes a draft as text for a model: line by line, each statement with its id, what it names, and its verdict.
import { memberOf } from "../../../kernel/member.ts";
import { counted } from "../../../kernel/counted.ts";
import type { Block, Cell, Draft, Statement } from "../../../run/report/report.ts";
import { gapsNamedBy, idsIn, premisesIn, sectionsOf } from "../../../run/report/statements.ts";

/** Finds the citation id of a quote. */
export type IdOfQuote = (quote: { source_digest: string; start: number; end: number }) => string;

export function pageText(draft: Draft, idOf: IdOfQuote): string {
  return textOf(pageLines(draft, idOf));
}

/** About `most` characters. When the page is longer, each section is cut by the same share and says how much is missing. */
export function fittingPageText(draft: Draft, idOf: IdOfQuote, most: number): string {
  const whole = pageText(draft, idOf);
  if (whole.length <= most) return whole;
  const room = most / whole.length;
  const sections = sectionsOf(draft).map(({ heading, blocks }) => {
    const head = heading === null ? [] : pageLines({ ...draft, blocks: [heading] }, idOf);
    const lines = pageLines({ ...draft, blocks }, idOf);
    let left = (lengthOf(head) + lengthOf(lines)) * room - lengthOf(head);
    const kept = lines.filter((one) => (left -= lengthOf([one])) >= 0);
    const hidden = lines.slice(kept.length).reduce((sum, { statements }) => sum + statements, 0);
    return [...head, ...kept, ...(hidden === 0 ? [] : [plain(`… ${counted(hidden, "more sentence")} not shown`)])];
  });
  return textOf(sections.flat());
}

interface Line {
  text: string;
  /** How many statements the line has. */
  statements: number;
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join("\n");
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

function pageLines(draft: Draft, idOf: IdOfQuote): Line[] {
  const line = (id: string): string => {
    const statement = memberOf(draft.statements, id);
    return statement === undefined ? id : `${id} ${markOf(statement, idOf)}${statement.text}`;
  };
  return draft.blocks.flatMap((block) => linesOf(block, line));
}

function plain(text: string): Line {
  return { text, statements: 0 };
}

function linesOf(block: Block, line: (id: string) => string): Line[] {
  const one = (id: string): Line => ({ text: line(id), statements: 1 });
  switch (block.kind) {
    case "heading":
      return [plain(""), plain(`${"#".repeat(block.level)} ${block.text}`)];
    case "paragraph":
      return [...(block.lead === undefined ? [] : [plain(`**${block.lead}:**`)]), ...block.statements.map(one)];
    case "list":
      return block.items.map(({ lead, statements, checked }, at) => ({
        text: `${block.ordered ? `${(block.start ?? 1) + at}.` : "-"} ${checked === undefined ? "" : checked ? "[x] " : "[ ] "}${lead === undefined ? "" : `**${lead}:** `}${statements.map(line).join(" ")}`,
        statements: statements.length,
      }));
    case "table": {
      const cell = (shown: Cell): string => (typeof shown === "string" ? shown : shown.map(line).join(" "));
      const rows = block.rows.map((row) => ({
        text: `| ${row.map(cell).join(" | ")} |`,
        statements: row.reduce((sum, shown) => sum + (typeof shown === "string" ? 0 : shown.length), 0),
      }));
      return [plain(`| ${block.columns.join(" | ")} |`), ...rows];
    }
    case "code":
      return [{ text: `code ${idsIn(block).map(line).join("")}`, statements: 1 }];
    case "excerpt":
      return [{ text: `> ${line(block.statement)}`, statements: 1 }];
  }
}

function markOf(statement: Statement, idOf: IdOfQuote): string {
  switch (statement.basis) {
    case "framing":
      return "";
    case "gap":
      return `[${gapsNamedBy(statement).join(", ")}] `;
    case "nearest":
      return `[near: ${statement.quotes.map(idOf).join(", ")}] `;
    case "suggested":
      return `[ours; from ${[...new Set(statement.quotes.map(idOf)), ...statement.from, ...gapsNamedBy(statement)].join(", ")}] `;
    default: {
      const { basis, quotes, verdict, reason = "" } = statement;
      const ids = [...new Set(quotes.map(idOf)), ...premisesIn(statement), ...gapsNamedBy(statement)];
      const sides = basis === "cited" && statement.against !== undefined ? statement.against : ids.length;
      const named = [ids.slice(0, sides), ids.slice(sides)]
        .map((side) => side.join(", "))
        .filter((side) => side !== "")
        .join(" against ");
      const doubt = verdict === "supported" ? "" : ` (${verdict}: ${reason})`;
      return `[${basis === "derived" ? "from " : ""}${named}]${doubt} `;
    }
  }
}
