// Cuts a quote into its lines, tables and code as its source lays them out, and each of them where marked words begin and end.
import { markdownCells, recordsOf, type Delimiter } from "../kernel/cells.ts";
import { decodedText } from "../kernel/decoded-text.ts";
import { given } from "../kernel/given.ts";
import type { Quote } from "../run/report/source.ts";
import { codeAt, lineOf, outdented, type Span } from "./excerpt-code.ts";
import {
  isForPrograms,
  isProgram,
  unwrapped,
  withPlainSign,
  withoutDefinitionSign,
  withoutMarkup,
  withoutQuoteSign,
  type Run,
} from "./excerpt-lines.ts";

export type ExcerptPart =
  /** Lines without a blank line between them. */
  | { kind: "lines"; lines: Run[][] }
  /** Rows of cells; the first row is the header. */
  | { kind: "table"; rows: Run[][][] }
  | { kind: "code"; lines: Run[][]; language?: string };

/** The end of a page between two words is a blank: the sentence continues behind it. */
const PAGE_END = /(?<=[^\s])\f(?=[^\s])/g;
const LINE_END = /\r\n?|(?<=\s)\f|\f(?=\s)|[\n\v\u0085\u2028\u2029]/g;
const BELOW_HEADER = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/;

/** `marks` and `code`: byte spans in the text of the source. `origin`: the file or address of the source. */
export function partsOfQuote(
  quote: Quote,
  marks: readonly Span[],
  origin: string,
  code: readonly Span[] = [],
): ExcerptPart[] {
  const { text, anchor } = quote;
  if (anchor?.columns !== undefined) return [tableBelow(anchor.columns, rowsIn(text, anchor.delimiter))];
  const marked = charactersOf(quote, marks);
  const known = charactersOf(quote, code);
  const lost = Math.max(0, quote.start - (code[0]?.start ?? quote.start));
  const flat = text.replace(PAGE_END, " ");
  const runs = (span: Span): Run[] => runsIn(flat, span, marked);
  const words = (span: Span): Run[] => runs(span).map((run) => ({ ...run, text: withoutMarkup(run.text, origin) }));
  /** A bar inside of a cell has a backslash before it. */
  const cellWords = (span: Span): Run[] =>
    words(span).map((run) => ({ ...run, text: run.text.replaceAll("\\|", "|") }));
  const lines = linesIn(text);
  if (isProgram(origin)) return [{ kind: "code", lines: lines.map(runs) }];
  const parts: ExcerptPart[] = [];
  for (let at = 0; at < lines.length;) {
    const block = codeAt(text, lines, at, known);
    const length = block?.length ?? (tableLength(text, lines, at) || 1);
    const own = lines.slice(at, at + length);
    const [first] = own;
    if (first === undefined) break;
    if (block !== null) {
      const inner = block.inner.map(runs);
      const lines = outdented(inner, at === 0 && block.isCut ? lost : 0);
      parts.push({ kind: "code", lines, ...given({ language: block.language }) });
    } else if (length > 1)
      parts.push({
        kind: "table",
        rows: own.flatMap((row, index) => (index === 1 ? [] : [cellsIn(text, row).map(cellWords)])),
      });
    else if (!isForPrograms(lineOf(text, first), origin)) addLine(parts, withoutQuoteSign(words(first), origin));
    at += length;
  }
  return parts.flatMap((part): ExcerptPart[] => {
    if (part.kind === "table") return [part];
    if (part.lines.length === 0) return [];
    if (part.kind === "code") return [part];
    const shown = unwrapped(part.lines, origin).map((line) => withPlainSign(withoutDefinitionSign(line, origin)));
    return [{ kind: "lines", lines: shown }];
  });
}

/** A row says little without the names above it. All of it is found, so nothing in it is marked. */
function tableBelow(columns: readonly string[], rows: readonly string[][]): ExcerptPart {
  const asRuns = (cell: string): Run[] => [{ text: cell.replace(/\s+/gu, " "), isMarked: false }];
  return { kind: "table", rows: [columns, ...rows].map((cells) => cells.map(asRuns)) };
}

function rowsIn(text: string, delimiter: Delimiter | undefined): string[][] {
  if (delimiter === undefined) return text.split(/\r\n?|\n/).map(markdownCells);
  return [...recordsOf(text, delimiter)].map(({ cells }) => cells);
}

function addLine(parts: ExcerptPart[], line: Run[]): void {
  const isBlank = line.every(({ text }) => text.trim() === "");
  const last = parts.at(-1);
  if (isBlank) parts.push({ kind: "lines", lines: [] });
  else if (last?.kind === "lines") last.lines.push(line);
  else parts.push({ kind: "lines", lines: [line] });
}

// --- lines and tables ---------------------------------------------------------------------------------------------

function linesIn(text: string): Span[] {
  const ends = [...text.matchAll(LINE_END)].map((end) => ({ start: end.index, end: end.index + end[0].length }));
  const starts = [0, ...ends.map(({ end }) => end)];
  return starts.map((start, at) => ({ start, end: ends[at]?.start ?? text.length }));
}

/** In lines, with the rule below the header; 0 when no table begins here. */
function tableLength(text: string, lines: readonly Span[], at: number): number {
  const isRow = (index: number): boolean => textAt(text, lines, index).includes("|");
  if (!isRow(at) || !isRow(at + 1) || !BELOW_HEADER.test(textAt(text, lines, at + 1).trim())) return 0;
  const end = lines.findIndex((_line, index) => index > at && !isRow(index));
  return (end === -1 ? lines.length : end) - at;
}

function textAt(text: string, lines: readonly Span[], at: number): string {
  const line = lines[at];
  return line === undefined ? "" : lineOf(text, line);
}

/** The cells of a row, without blanks around them. Bars at both ends of the row make no cells. */
function cellsIn(text: string, row: Span): Span[] {
  const bars = [...lineOf(text, row).matchAll(/(?<!\\)\|/g)].map(({ index }) => row.start + index);
  const cells = [row.start, ...bars.map((bar) => bar + 1)].map((start, at) =>
    wordsIn(text, { start, end: bars[at] ?? row.end }),
  );
  const isOuter = ({ start, end }: Span, at: number): boolean => (at === 0 || at === cells.length - 1) && start === end;
  return cells.filter((cell, at) => !isOuter(cell, at));
}

function wordsIn(text: string, span: Span): Span {
  const words = lineOf(text, span);
  const start = span.start + (words.length - words.trimStart().length);
  return { start, end: start + words.trim().length };
}

// --- marks --------------------------------------------------------------------------------------------------------

/** The marks of an excerpt, or none when they cover every word and so show nothing. */
export function usefulMarks<T extends Span>(quote: Quote, marks: readonly T[]): readonly T[] {
  const marked = charactersOf(quote, marks);
  const left = runsIn(quote.text, { start: 0, end: quote.text.length }, marked).filter(({ isMarked }) => !isMarked);
  return left.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) ? marks : [];
}

/** Turns byte spans of the source into character spans of the quote. */
function charactersOf({ text, start }: Quote, marks: readonly Span[]): Span[] {
  const bytes = new TextEncoder().encode(text);
  const charactersBefore = (byte: number): number => decodedText(bytes.subarray(0, Math.max(0, byte - start))).length;
  return marks.map((mark) => ({ start: charactersBefore(mark.start), end: charactersBefore(mark.end) }));
}

/** The span in pieces, each marked or not. Blanks at the ends of marked words are not marked. */
function runsIn(text: string, { start, end }: Span, marked: readonly Span[]): Run[] {
  const runs: Run[] = [];
  let from = start;
  for (const mark of marked) {
    const words = wordsIn(text, { start: Math.max(mark.start, from), end: Math.max(from, Math.min(mark.end, end)) });
    if (words.start >= words.end) continue;
    if (words.start > from) runs.push({ text: text.slice(from, words.start), isMarked: false });
    runs.push({ text: text.slice(words.start, words.end), isMarked: true });
    from = words.end;
  }
  if (from < end) runs.push({ text: text.slice(from, end), isMarked: false });
  return runs;
}
