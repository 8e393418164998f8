// Finds where in a table a quote begins: the names of the columns, and for a cell the first cell of its row.
import { isTableRule } from "../../corpus/blocks/table-rows.ts";
import { markdownCells, recordsOf, type Delimiter } from "../../kernel/cells.ts";
import type { Quote } from "../../run/report/source.ts";

export interface InTable {
  /** Of all columns, "" for one without a name. */
  columns: readonly string[];
  /** Set where the quote begins behind the first cell of its row: that cell, and the names of the columns that it spans. */
  cell?: { row: string; columns: readonly string[] };
}

/** `before`: the text up to the quote, as far as it is known. Null where the quote begins in no row below names. */
export function tableAround(before: string, { text, anchor }: Pick<Quote, "text" | "anchor">): InTable | null {
  const { delimiter, columns: known } = anchor ?? {};
  const bar = delimiter ?? "|";
  const lines = before.split("\n");
  const begun = lines.pop() ?? "";
  const columns = known ?? columnsAbove(lines, `${begun}${text}`);
  if (columns === null) return null;
  // A bar that the quote begins with ends the cell before it.
  const isAtBar = begun.trim() !== "" && text.trimStart().startsWith(bar);
  const [own = "", ...further] = (isAtBar ? text.trimStart().slice(bar.length) : text).split("\n");
  const cells = cellsBefore(isAtBar ? `${begun}${bar}` : begun, delimiter);
  // Where its row begins too far above, the cell is not known.
  if (lines.length === 0 || cells.length === 0) return { columns };
  const spanned = further.length > 0 ? columns.length : cellsIn(own, delimiter).length;
  return { columns, cell: { row: cells[0] ?? "", columns: columns.slice(cells.length, cells.length + spanned) } };
}

/** The whole cells of the beginning of a row; none inside of a quoted cell. */
function cellsBefore(begun: string, delimiter: Delimiter | undefined): string[] {
  if (delimiter !== undefined) return begun.split('"').length % 2 === 0 ? [] : cellsIn(begun, delimiter).slice(0, -1);
  const cells = markdownCells(begun);
  return /(?<!\\)\|\s*$/u.test(begun) ? cells : cells.slice(0, -1);
}

function cellsIn(part: string, delimiter: Delimiter | undefined): string[] {
  if (delimiter === undefined) return markdownCells(part);
  // What is blank is no record.
  const [record] = recordsOf(part, delimiter);
  return record?.cells ?? part.split(delimiter);
}

/** The names in the head of the Markdown table that a row is in; null for a line that is no row. */
function columnsAbove(lines: readonly string[], row: string): readonly string[] | null {
  const isRow = (line: string): boolean => line.trimStart().startsWith("|");
  if (!isRow(row)) return null;
  const [head = "", rule = ""] = lines.slice(lines.findLastIndex((line) => !isRow(line)) + 1);
  return isTableRule(rule) ? markdownCells(head) : null;
}
