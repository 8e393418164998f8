// Recognizes by its content a text that is a table of delimited cells (CSV, TSV), and cuts it into blocks of whole rows.
import { DELIMITERS, recordsOf, type CellRecord, type Delimiter } from "../../kernel/cells.ts";
import type { Block } from "./block-cutter.ts";

const SAMPLE_LENGTH = 64_000;
const SAMPLE_RECORDS = 50;
/** The share of records that have as many cells as most, and how many of which width there have to be. */
const SURE = { share: 0.8, records: 2, columns: 2 };
/** For a text whose name does not say that it is a table. */
const UNNAMED = { share: 1, records: 5, columns: 3 };
/** A longer table is several blocks, so that a reader does not need the whole of it for one row. All are longer than an excerpt. */
const BLOCK_LENGTH = 64_000;
const MAX_NAME_LENGTH = 100;
/** A number with or without a unit, a date, an address. */
const VALUE = /^[^\p{L}]*\p{N}[^\p{L}]*\p{L}{0,3}$|@|:\/\//u;
const YEAR = /^(?:1[89]|20)\d\d$/;
const HINT = /^\uFEFF?sep=([,;|\t])\r?\n/;

interface DelimitedTable {
  delimiter: Delimiter;
  /** Where the first record with as many cells as most begins. Titles and notes may be above. */
  start: number;
  header: { start: number; end: number } | null;
}

/** Null for a text that is no table. `isNamed`: its name says that it is one. */
export function delimitedTable(text: string, isNamed: boolean): DelimitedTable | null {
  const hint = HINT.exec(text);
  const from = hint?.[0].length ?? (text.startsWith("\uFEFF") ? 1 : 0);
  const named = DELIMITERS.find((delimiter) => delimiter === hint?.[1]);
  const least = isNamed ? SURE : UNNAMED;
  const sample = sampleOf(text, from);
  const ways = (named === undefined ? DELIMITERS : [named]).flatMap((delimiter) => {
    const records = firstRecords(sample, delimiter, from);
    const columns = usualWidth(records);
    const fitting = records.filter(({ cells }) => cells.length === columns);
    const share = fitting.length / Math.max(1, records.length);
    const isTable = columns >= least.columns && fitting.length >= least.records && share >= least.share;
    return isTable ? [{ delimiter, columns, share, fitting }] : [];
  });
  const [best] = ways.toSorted((left, right) => right.share - left.share || right.columns - left.columns);
  const [first, ...rows] = best?.fitting ?? [];
  if (best === undefined || first === undefined) return null;
  const { start, end } = first;
  const rowCells = rows.map(({ cells }) => cells);
  return { delimiter: best.delimiter, start, header: isHeader(first.cells, rowCells) ? { start, end } : null };
}

/** Up to the end of a line, since a record that is cut has too few cells. */
function sampleOf(text: string, from: number): string {
  if (text.length <= from + SAMPLE_LENGTH) return text;
  const sample = text.slice(0, from + SAMPLE_LENGTH);
  return sample.slice(0, Math.max(sample.lastIndexOf("\n"), from));
}

function firstRecords(text: string, delimiter: Delimiter, from: number): CellRecord[] {
  const records: CellRecord[] = [];
  for (const record of recordsOf(text, delimiter, from)) if (records.push(record) === SAMPLE_RECORDS) break;
  return records;
}

function usualWidth(records: readonly CellRecord[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}

/** Names are short, each another, hold letters (or are years above other values), and are no values of their columns. */
export function isHeader(names: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const filled = names.filter((name) => name !== "");
  if (filled.length < names.length / 2 || new Set(filled).size < filled.length) return false;
  if (!filled.some((name) => /\p{L}/u.test(name)) || filled.some((name) => name.length > MAX_NAME_LENGTH)) return false;
  return names.every((name, column) => {
    const values = rows.map((cells) => cells[column] ?? "");
    if (name === "") return true;
    if (values.includes(name)) return false;
    return !VALUE.test(name) || (YEAR.test(name) && !values.every((value) => YEAR.test(value)));
  });
}

/** The rows in blocks, below a block of what is above them. */
export function* delimitedBlocks(text: string, { delimiter, start, header }: DelimitedTable): Generator<Block> {
  const above = text.slice(0, start).replace(HINT, "").replace("\uFEFF", "");
  if (above.trim() !== "") {
    const from = start - above.trimStart().length;
    yield { kind: "data", start: from, end: from + above.trim().length, level: 0 };
  }
  const table = { kind: "table", level: 0, cells: { delimiter, header } } as const;
  let [from, end] = [start, start];
  for (const record of recordsOf(text, delimiter, start)) {
    if (record.start - from >= BLOCK_LENGTH && text.length - record.start >= BLOCK_LENGTH) {
      yield { ...table, start: from, end };
      from = record.start;
    }
    end = record.end;
  }
  if (end > from) yield { ...table, start: from, end };
}
