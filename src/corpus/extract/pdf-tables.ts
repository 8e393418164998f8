// Finds tables in the lines of a PDF: lines below each other with gaps at the same places.
import { isHeader } from "../blocks/delimited.ts";
import type { Cell, Line } from "./pdf-lines.ts";

const MIN_ROWS = 3;
const MAX_COLUMNS = 20;
/** In heights of the letters. Rows that are further apart belong to two tables. */
const MAX_GAP = 3;
/** A longer cell is text next to other text, as in two columns. */
const MAX_CELL_LENGTH = 90;
/** Dots lead from the title to the page in a table of contents. */
const LEADER = /\.{4}|(\. ){3}/;

/**
 * The rows of the table that begins with the line at `from`, and the number of its lines; null when there is none. The cells of
 * the first row are empty when nothing shows that the columns have names.
 */
export function tableRowsOf(
  lines: readonly Line[],
  from: number,
  bodySize: number,
): { lines: number; rows: string[][] } | null {
  let end = from;
  while (end < lines.length && isRow(lines[end], lines[end - 1], end > from, bodySize)) end++;
  for (; end - from >= MIN_ROWS; end--) {
    const rows = lines.slice(from, end);
    const columns = columnsOf(rows.flatMap((line) => line.cells));
    const most = Math.max(...rows.map((line) => line.cells.length));
    if (columns.length !== most || columns.length > MAX_COLUMNS) continue;
    const cells = rows.map((line) => cellsIn(line, columns));
    return { lines: rows.length, rows: hasHead(rows, cells) ? cells : [columns.map(() => ""), ...cells] };
  }
  return null;
}

/** A PDF marks no head: it is set in a font of its own, or is names above a column of numbers. */
function hasHead([first, ...lines]: readonly Line[], [names = [], ...rows]: readonly string[][]): boolean {
  if (lines.every(({ font, size }) => font !== first?.font || size !== first.size)) return true;
  return isHeader(names, rows) && names.some((_, column) => rows.every((row) => /\p{N}/u.test(row[column] ?? "")));
}

function isRow(line: Line | undefined, before: Line | undefined, isInside: boolean, bodySize: number): boolean {
  if (line === undefined || line.cells.length < 2 || line.isMono || line.size > 1.2 * bodySize) return false;
  if (line.cells.some((cell) => cell.text.length > MAX_CELL_LENGTH) || LEADER.test(line.text)) return false;
  // The number or bullet of a list item is no cell.
  if (line.cells.length === 2 && /^([•◦▪–*-]|\(?\w{1,3}[.)]|\[\d+\])$/.test(line.cells[0]?.text ?? "")) return false;
  return !isInside || before === undefined || line.y - before.y < MAX_GAP * line.size;
}

/** Cells that overlap from row to row are in one column. */
function columnsOf(cells: readonly Cell[]): { x: number; right: number }[] {
  const columns: { x: number; right: number }[] = [];
  for (const { x, right } of [...cells].sort((left, other) => left.x - other.x)) {
    const column = columns.at(-1);
    if (column === undefined || x >= column.right) columns.push({ x, right });
    else column.right = Math.max(column.right, right);
  }
  return columns;
}

function cellsIn(line: Line, columns: readonly { x: number; right: number }[]): string[] {
  return columns.map((column) =>
    line.cells
      .filter((cell) => cell.x >= column.x && cell.x < column.right)
      .map((cell) => cell.text)
      .join(" "),
  );
}
