// Cuts delimited text (CSV and its kin) into records and cells, and rows of Markdown into cells. A quoted cell may hold
// delimiters, line ends and doubled quotes.

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** `start` and `end` are string offsets, without the line end. */
export interface CellRecord {
  start: number;
  end: number;
  cells: string[];
}

/** The records that are not blank. A quote that nothing closes is a sign like any other, and so are all behind it. */
export function* recordsOf(text: string, delimiter: Delimiter, from = 0, to = text.length): Generator<CellRecord> {
  let isQuoting = true;
  let record: CellRecord = { start: from, end: from, cells: [] };
  for (let at = from; at < to; at++) {
    const closing = isQuoting && text[at] === '"' ? closingQuote(text, at, to) : null;
    if (closing === -1) isQuoting = false;
    let end = closing === null || closing === -1 ? at : closing + 1;
    while (end < to && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
    const isQuoted = closing !== null && closing !== -1;
    const cell = isQuoted
      ? text.slice(at + 1, closing).replaceAll('""', '"') + text.slice(closing + 1, end)
      : text.slice(at, end);
    record.cells.push(cell.trim());
    at = end;
    if (end < to && text[end] === delimiter) {
      // A delimiter at the very end opens one more cell, which is empty.
      if (++end < to) continue;
      record.cells.push("");
    }
    if (record.cells.some((one) => one !== "")) yield { ...record, end };
    record = { start: end + 1, end: end + 1, cells: [] };
  }
}

/** The quote that closes the one at `open`; -1 when there is none. */
function closingQuote(text: string, open: number, to: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1 && at < to; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] !== '"' || at + 1 >= to) return at;
    at++;
  }
  return -1;
}

/** The cells of a row of Markdown. Bars at both ends of the row make no cells, and neither does one behind a backslash. */
export function markdownCells(row: string): string[] {
  const cells = row
    .trim()
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}
