// Reads the rows of an HTML table of data, and distinguishes it from a table that only lays out a page.
import { isElement, namesIn, type DomElement } from "./dom.ts";

const MAX_CELL_LENGTH = 600;
/** For a table of one row, which may be the head of a page. */
const MAX_SHORT_CELL_LENGTH = 80;
const MAX_COLUMNS = 60;
/** The most text that spanning cells repeat in a table. Without a limit, a small page could fill the memory. */
const MAX_REPEATED_LENGTH = 100_000;
/** Elements that a cell of data does not hold. */
const STRUCTURE = namesIn("table ul ol pre h1 h2 h3 h4 h5 h6 blockquote hr");
const STRUCTURE_OF_LINE = STRUCTURE.union(new Set(["p", "div", "dl"]));
const BOLD = new Set(["b", "strong"]);
const SECTIONS = new Set(["thead", "tbody", "tfoot"]);

const NAMED_HEAD = /head|title/i;

/**
 * Rows as `MarkdownWriter.table` takes them, or null for a table of layout. The text of a cell is in each row and column that it
 * spans.
 */
export function rowsOfTable(table: DomElement, textOf: (cell: DomElement) => string): string[][] | null {
  if (/^(presentation|none)$/.test(table.attribute("role"))) return null;
  if (table.first(STRUCTURE) !== null) return null;
  const rows = withoutEmptyColumns(spannedRows(table, textOf));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || columns < 2 || columns > MAX_COLUMNS) return null;
  if (rows.some((row) => row.some((cell) => cell.length > MAX_CELL_LENGTH))) return null;
  return hasHead(table) ? rows : [[], ...rows];
}

/** Names are in a marked row (`thead`, `th`, a class), or in a bold one above another. What cells say shows no names. */
function hasHead(table: DomElement): boolean {
  const [first, second] = table.all("tr").filter((row) => row.textContent.trim() !== "");
  if (first === undefined) return false;
  if (first.parent?.localName === "thead" || NAMED_HEAD.test(first.attribute("class"))) return true;
  const cells = cellsOf(first).filter((cell) => cell.textContent.trim() !== "");
  if (cells.every(({ localName }) => localName === "th")) return true;
  return cells.length > 1 && cells.every(isBold) && !(second !== undefined && cellsOf(second).every(isBold));
}

function isBold(cell: DomElement): boolean {
  if (cell.localName === "th") return true;
  const text = cell.textContent.trim();
  return text !== "" && cell.all(BOLD).some(({ textContent }) => textContent.trim() === text);
}

/** The texts of a table of one row with short cells, else null. */
export function lineOfTable(table: DomElement, textOf: (cell: DomElement) => string): string | null {
  const [row, ...others] = table.all("tr");
  if (row === undefined || others.length > 0 || table.first(STRUCTURE_OF_LINE) !== null) return null;
  const cells = cellsOf(row).map(textOf);
  return cells.some((cell) => cell.length > MAX_SHORT_CELL_LENGTH) ? null : cells.join(" ").trim();
}

/** Columns without text hold icons. */
function withoutEmptyColumns(rows: readonly string[][]): string[][] {
  const filled = new Set(rows.flatMap((row) => [...row.keys()].filter((column) => row[column] !== "")));
  return rows.map((row) => row.filter((_, column) => filled.has(column)));
}

/** The rows of the grid. Rows without own text are left out. */
function spannedRows(table: DomElement, textOf: (cell: DomElement) => string): string[][] {
  const rows = table.all("tr");
  const sections = table.all(SECTIONS);
  const firstRows = new Set(sections.map((section) => section.first("tr")));
  const grid = rows.map((): string[] => []);
  let repeatedLength = 0;
  // The end of the section of each row: no cell spans rows of another one.
  const ends = rows.map(() => rows.length);
  for (let at = rows.length - 2; at >= 0; at--)
    ends[at] = firstRows.has(rows[at + 1] ?? null) ? at + 1 : (ends[at + 1] ?? 0);
  return rows.flatMap((row, at) => {
    const own = cellsOf(row).map((cell) => ({ cell, text: textOf(cell) }));
    for (const { cell, text } of own) {
      const cells = grid[at] ?? [];
      const free = cells.findIndex((known) => known === undefined);
      const first = free === -1 ? cells.length : free;
      if (first > MAX_COLUMNS) break;
      // A cell alone in its row is a caption, and is kept once.
      const columns = own.length === 1 && first === 0 ? 1 : columnsOf(cell);
      for (const reached of grid.slice(at, Math.min(ends[at] ?? 0, at + rowsOf(cell))))
        for (let column = first; column < first + columns && column <= MAX_COLUMNS; column++) {
          const isFirst = reached === cells && column === first;
          if (!isFirst) repeatedLength += text.length;
          reached[column] = isFirst || repeatedLength <= MAX_REPEATED_LENGTH ? text : "";
        }
    }
    return own.some(({ text }) => text !== "") ? [Array.from(grid[at] ?? [], (cell) => cell ?? "")] : [];
  });
}

/** Some authors write a large number for "all columns"; such a cell counts as one. */
function columnsOf(cell: DomElement): number {
  const columns = numberIn(cell, "colspan");
  return columns >= 1 && columns <= MAX_COLUMNS ? columns : 1;
}

/** `rowspan="0"` means down to the end of the section. */
function rowsOf(cell: DomElement): number {
  const rows = numberIn(cell, "rowspan");
  return rows === 0 ? Number.POSITIVE_INFINITY : rows;
}

function numberIn(cell: DomElement, name: string): number {
  const text = cell.attribute(name).trim();
  return /^\d{1,6}$/.test(text) ? Number(text) : 1;
}

function cellsOf(row: DomElement): DomElement[] {
  return row.children.filter(isElement).filter(({ localName }) => localName === "td" || localName === "th");
}
