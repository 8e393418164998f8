// Reads the cells of a table of a page: which columns only name sources, which marks serve a cell, and what is left off.
import type { Mark } from "./marks.ts";
import type { TakenOff } from "./wrapping.ts";
import type { WrittenStatement } from "./written-page.ts";

const MAX_COLUMNS = 20;
const MAX_ROWS = 500;
const EMPTY = /^(?:[-–—?]|n\/?a|k\. ?A\.)?$/iu;

interface WrittenCell {
  text: string;
  marks: readonly Mark[];
  links?: string[];
}

/** An empty cell, the label of a row, or a statement. */
type ReadCell = "" | "–" | { label: string } | (WrittenCell & Pick<WrittenStatement, "place">);

interface ReadTable {
  columns: string[];
  rows: ReadCell[][];
  taken: TakenOff[];
}

export function readCells(heads: readonly string[], all: readonly (readonly WrittenCell[])[]): ReadTable {
  const read = all.slice(0, MAX_ROWS);
  const isSource = heads.map(
    (_, column) =>
      read.some((row) => (row[column]?.marks.length ?? 0) > 0) &&
      read.every((row) => EMPTY.test(row[column]?.text ?? "")),
  );
  const wide = [...heads.keys()].filter((column) => isSource[column] !== true);
  const shown = wide.slice(0, MAX_COLUMNS);
  const lost = wide.slice(MAX_COLUMNS);
  const textsOf = (columns: readonly number[]): string[] => [
    ...columns.map((column) => heads[column] ?? ""),
    ...read.flatMap((row) => columns.flatMap((column) => row[column]?.text ?? [])),
  ];
  return {
    columns: shown.map((column) => heads[column] ?? ""),
    rows: read.map((row) => readRow(row, { heads, shown, isSource })),
    taken: [
      ...takenOff(
        "the rows of a table that is too long",
        all.slice(MAX_ROWS).flatMap((row) => row.map(({ text }) => text)),
      ),
      ...takenOff("the columns of a table that is too wide", textsOf(lost)),
      ...heads.flatMap((text, column) =>
        isSource[column] === true ? [{ what: "the head of a column of sources", text }] : [],
      ),
    ],
  };
}

function takenOff(what: string, texts: readonly string[]): TakenOff[] {
  return texts.length === 0 ? [] : [{ what, text: texts.join(" ") }];
}

interface Columns {
  heads: readonly string[];
  /** The numbers of those that are shown. */
  shown: readonly number[];
  isSource: readonly boolean[];
}

/** Marks in a column of sources, or in the first or last cell alone, serve each cell of the row without own ones. */
function readRow(row: readonly WrittenCell[], { heads, shown, isSource }: Columns): ReadCell[] {
  const marked = row.flatMap(({ marks }, column) => (marks.length > 0 ? [column] : []));
  const [only] = marked;
  const isEdge = marked.length === 1 && (only === shown[0] || only === shown.at(-1));
  const serving = row.flatMap(({ marks }, column) => (isSource[column] === true || isEdge ? marks : []));
  const label = row[shown[0] ?? 0]?.text ?? "";
  return shown.map((column, index): ReadCell => {
    const { text, marks, ...links } = row[column] ?? { text: "", marks: [] };
    if (EMPTY.test(text)) return text === "" && index === 0 ? "" : "–";
    const own = marks.length > 0 ? marks : index === 0 ? [] : serving;
    // The first cell is a label of its row, unless it has marks.
    if (index === 0 && own.length === 0 && shown.length > 1) return { label: text };
    return {
      text,
      marks: own,
      place: { kind: "cell", row: index === 0 ? "" : label, column: heads[column] ?? "" },
      ...links,
    };
  });
}
