// Cuts a table of Markdown or of delimited cells into rows, each with the names of the columns.
import { markdownCells, recordsOf } from "../../kernel/cells.ts";
import type { Block } from "./block-cutter.ts";
import { linesOf, type Line } from "./lines.ts";

/** Longer names are cut, since every row carries them. */
const MAX_COLUMNS_LENGTH = 300;

/** `start` and `end` are string offsets; the row has no white space at its ends. */
export interface TableRow {
  start: number;
  end: number;
  /** The beginning of the column names; absent in a table without names, and for the names as a row. */
  columns?: string;
}

/** The names are a row of their own only when no row is below them. */
export function* rowsOf(text: string, block: Block): Generator<TableRow> {
  if (block.cells !== undefined) yield* delimitedRows(text, block, block.cells);
  else yield* markdownRows(text, block);
}

function* markdownRows(text: string, { start, end }: Block): Generator<TableRow> {
  const lines = [...linesOf(text.slice(start, end))].filter((line) => line.text.trim() !== "");
  const [first, second, ...others] = lines;
  if (first === undefined) return;
  const isNamed = second !== undefined && isTableRule(second.text);
  if (!isNamed || others.length === 0) {
    for (const line of lines) if (!isTableRule(line.text)) yield rowAt(start, line);
    return;
  }
  const columns = beginningOf(first.text.trim());
  for (const line of others) yield { ...rowAt(start, line), ...(hasNames(columns) && { columns }) };
}

function* delimitedRows(
  text: string,
  { start, end }: Block,
  { delimiter, header }: NonNullable<Block["cells"]>,
): Generator<TableRow> {
  const columns = header === null ? "" : beginningOf(onOneLine(text.slice(header.start, header.end)));
  for (const record of recordsOf(text, delimiter, start, end))
    if (record.start !== header?.start)
      yield { start: record.start, end: record.end, ...(hasNames(columns) && { columns }) };
}

/** The cells of the names above the rows; null when the table has none. */
export function namesOf(text: string, { start, end, cells }: Block): string[] | null {
  if (cells !== undefined) {
    const { delimiter, header } = cells;
    const [record] = header === null ? [] : recordsOf(text, delimiter, header.start, header.end);
    return record?.cells ?? null;
  }
  const lines = linesOf(text.slice(start, end));
  const [first, second] = [lines.next().value?.text, lines.next().value?.text];
  const isNamed = first !== undefined && second !== undefined && isTableRule(second) && hasNames(first);
  return isNamed ? markdownCells(first) : null;
}

function onOneLine(names: string): string {
  return names.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? " " : space));
}

function hasNames(columns: string): boolean {
  return /[\p{L}\p{N}]/u.test(columns);
}

function rowAt(start: number, line: Line): TableRow {
  const indent = line.text.length - line.text.trimStart().length;
  return { start: start + line.start + indent, end: start + line.start + line.text.trimEnd().length };
}

/** Cuts long names behind a word if there is one. */
function beginningOf(names: string): string {
  if (names.length <= MAX_COLUMNS_LENGTH) return names;
  const end = Math.max(names.lastIndexOf(" ", MAX_COLUMNS_LENGTH), names.lastIndexOf("|", MAX_COLUMNS_LENGTH));
  return names.slice(0, end > 1 ? end : MAX_COLUMNS_LENGTH).toWellFormed();
}

const RULE = /^(\|\s*)?:?-+:?\s*(\|\s*:?-+:?\s*)+\|?$/;
const RULE_OF_ONE_COLUMN = /^\|\s*:?-+:?\s*\|$/;

/** True for the line between column names and rows: `|---|---|`. */
export function isTableRule(line: string): boolean {
  const trimmed = line.trim();
  return RULE.test(trimmed) || RULE_OF_ONE_COLUMN.test(trimmed);
}
