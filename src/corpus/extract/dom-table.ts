// The rows of an HTML table, when it is one: many tables only put things beside each other.
import { childrenOf, isElement, type DomElement } from "./dom.ts";

const MAX_CELL_LENGTH = 600;
const MAX_COLUMNS = 60;
/** What stands in no cell of data. */
const STRUCTURE = "table, ul, ol, pre, h1, h2, h3, h4, h5, h6, blockquote, hr";

/** Null when the table is there for the layout. */
export function rowsOfTable(table: DomElement, textOf: (cell: DomElement) => string): string[][] | null {
  if (/^(presentation|none)$/.test(table.getAttribute("role") ?? "")) return null;
  if (table.querySelector(STRUCTURE) !== null) return null;
  const rows = [...table.querySelectorAll("tr")].map((row) => cellsOf(row, textOf)).filter((row) => row.some(hasWords));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || columns < 2 || columns > MAX_COLUMNS) return null;
  if (rows.some((row) => row.some((cell) => cell.length > MAX_CELL_LENGTH))) return null;
  return rows;
}

function cellsOf(row: DomElement, textOf: (cell: DomElement) => string): string[] {
  return [...childrenOf(row)]
    .filter(isElement)
    .filter((child) => /^t[dh]$/i.test(child.localName))
    .map(textOf);
}

function hasWords(cell: string): boolean {
  return cell !== "";
}
