// The rows of an HTML table, when it is one: many tables only put things beside each other.
import { childrenOf, isElement, type DomElement } from "./dom.ts";

const MAX_CELL_LENGTH = 600;
const MAX_COLUMNS = 60;
/** What cells repeat in a table, all together; without a limit, a small page could fill the memory. */
const MAX_REPEATED_LENGTH = 100_000;
/** What stands in no cell of data. */
const STRUCTURE = "table, ul, ol, pre, h1, h2, h3, h4, h5, h6, blockquote, hr";

/** Null when the table is there for the layout. A cell stands in each row and column that it spans. */
export function rowsOfTable(table: DomElement, textOf: (cell: DomElement) => string): string[][] | null {
  if (/^(presentation|none)$/.test(table.getAttribute("role") ?? "")) return null;
  if (table.querySelector(STRUCTURE) !== null) return null;
  const rows = withoutEmptyColumns(new SpannedRows(textOf).read(table));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || columns < 2 || columns > MAX_COLUMNS) return null;
  if (rows.some((row) => row.some((cell) => cell.length > MAX_CELL_LENGTH))) return null;
  return rows;
}

/** An icon beside a text makes no table. */
function withoutEmptyColumns(rows: readonly string[][]): string[][] {
  const filled = new Set(rows.flatMap((row) => [...row.keys()].filter((column) => hasWords(row[column] ?? ""))));
  return rows.map((row) => row.filter((_, column) => filled.has(column)));
}

/** A cell that stands in so many more rows. */
interface Reaching {
  text: string;
  rows: number;
}

class SpannedRows {
  readonly #textOf: (cell: DomElement) => string;
  /** By column, the cells that reach into the next rows. */
  #reaching: Reaching[] = [];
  #repeatedLength = 0;

  constructor(textOf: (cell: DomElement) => string) {
    this.#textOf = textOf;
  }

  /** Rows without words of their own are left out. */
  read(table: DomElement): string[][] {
    const sections = [...table.querySelectorAll("thead, tbody, tfoot")];
    const firstRows = new Set(sections.map((section) => section.querySelector("tr")));
    return [...table.querySelectorAll("tr")].flatMap((row) => {
      // No cell reaches into another section.
      if (firstRows.has(row)) this.#reaching = [];
      const own = cellsOf(row).map((cell) => ({ cell, text: this.#textOf(cell) }));
      const cells = this.#cellsOfRow(own);
      return own.some(({ text }) => hasWords(text)) ? [cells] : [];
    });
  }

  #cellsOfRow(own: readonly { cell: DomElement; text: string }[]): string[] {
    const cells: string[] = [];
    const reaching: Reaching[] = [];
    const takeReaching = (): boolean => {
      const above = this.#reaching[cells.length];
      if (above === undefined || above.rows === 0) return false;
      reaching[cells.length] = { text: above.text, rows: above.rows - 1 };
      cells.push(this.#repeated(above.text));
      return true;
    };
    for (const { cell, text } of own) {
      while (takeReaching());
      // What takes a row for itself stands there once.
      const columns = own.length === 1 && cells.length === 0 ? 1 : columnsOf(cell);
      for (let column = 0; column < columns; column++) {
        reaching[cells.length] = { text, rows: rowsOf(cell) - 1 };
        cells.push(column === 0 ? text : this.#repeated(text));
      }
    }
    while (cells.length < this.#reaching.length) if (!takeReaching()) cells.push("");
    this.#reaching = Array.from(reaching, (cell) => cell ?? { text: "", rows: 0 });
    return cells;
  }

  #repeated(text: string): string {
    this.#repeatedLength += text.length;
    return this.#repeatedLength > MAX_REPEATED_LENGTH ? "" : text;
  }
}

/** More than a table may have is written by those who mean "all". */
function columnsOf(cell: DomElement): number {
  const columns = numberIn(cell, "colspan");
  return columns >= 1 && columns <= MAX_COLUMNS ? columns : 1;
}

/** Zero means down to the end of the section. */
function rowsOf(cell: DomElement): number {
  const rows = numberIn(cell, "rowspan");
  return rows === 0 ? Number.POSITIVE_INFINITY : rows;
}

function numberIn(cell: DomElement, name: string): number {
  const text = cell.getAttribute(name)?.trim() ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : 1;
}

function cellsOf(row: DomElement): DomElement[] {
  return [...childrenOf(row)].filter(isElement).filter((child) => /^t[dh]$/i.test(child.localName));
}

function hasWords(cell: string): boolean {
  return cell !== "";
}
