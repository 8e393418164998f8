// Takes a table of Markdown apart: its rows, each with the names of the columns.
import type { Block } from "./block-cutter.ts";
import { linesOf, type Line } from "./lines.ts";

/** `start` and `end` are string offsets of a row without white space around it. */
export interface TableRow {
  start: number;
  end: number;
  /** Absent for rows without column names, and for those names when nothing stands below them. */
  columns?: string;
}

/** The line between the names and the rows is none of them. */
export function* rowsOf(text: string, { start, end }: Block): Generator<TableRow> {
  const lines = [...linesOf(text.slice(start, end))].filter((line) => line.text.trim() !== "");
  const [first, second, ...others] = lines;
  if (first === undefined) return;
  const isNamed = second !== undefined && isTableRule(second.text);
  if (!isNamed || others.length === 0) {
    for (const line of lines) if (!isTableRule(line.text)) yield rowAt(start, line);
    return;
  }
  const columns = first.text.trim();
  for (const line of others) yield { ...rowAt(start, line), columns };
}

function rowAt(start: number, line: Line): TableRow {
  const indent = line.text.length - line.text.trimStart().length;
  return { start: start + line.start + indent, end: start + line.start + line.text.trimEnd().length };
}

/** For a line without space at its ends. */
const RULE = /^(\|\s*)?:?-+:?\s*(\|\s*:?-+:?\s*)+\|?$/;
const RULE_OF_ONE_COLUMN = /^\|\s*:?-+:?\s*\|$/;

export function isTableRule(line: string): boolean {
  const trimmed = line.trim();
  return RULE.test(trimmed) || RULE_OF_ONE_COLUMN.test(trimmed);
}
