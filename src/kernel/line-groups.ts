// Separates wrapped lines, which are one text, from lines that their author ended: lists, columns, addresses, programs.

/** When no line is longer, the author ended the lines. */
const MIN_WIDTH = 50;
/** A wrapped line has at least this share of the longest one. */
const MIN_FULL = 0.6;
/** Of so many lines of prose, one ends with a punctuation mark. */
const MIN_SIGNED = 5;
const BEGINS_ANEW = /^\s*(?:(?:[-*+•:>#]|\d+[.)])\s|\|)/;
/** Blanks that set columns apart. */
const GAP = /\S(?:\t|\s{3,})\S/;

const OF_PROGRAM = /^\s*\/\/|(?:[{}]|\);)\s*$/;
const ENDS_LIKE_PROSE = /[.,:!?…。、，：！？]["'”’»)\]*_]*\s*$/u;

/** The lines of AsciiDoc around paragraphs of an item and around blocks of prose: `+`, `____`, `[NOTE]`. */
const BORDER = /^\s*(?:\+|--|_{4,}|={4,}|\*{4,}|\[\p{Lu}+\])\s*$/u;
const TERM = /\S::\s*$/;

/** The lines from `from` up to `to`, without `to`. */
interface LineGroup {
  from: number;
  to: number;
  /** The lines are one text. */
  isWrapped: boolean;
}

/** Cuts lines where one begins anew: at items of lists, terms, quotations, another indent, borders of AsciiDoc. */
export function lineGroups(lines: readonly string[]): LineGroup[] {
  const width = lines.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  const starts = lines.flatMap((own, at) => {
    const before = lines[at - 1] ?? "";
    // The further lines of an item are indented to its first word, and the first line of a quote may have lost its indent.
    const isDeeper = indentOf(own) > indentOf(before);
    const mayDiffer = BEGINS_ANEW.test(before) ? isDeeper : at === 1 && isFull(before, width);
    const isAside = indentOf(own) !== indentOf(before) && !mayDiffer;
    const isAtBorder = BORDER.test(own) || BORDER.test(before);
    return at === 0 || isAside || isAtBorder || BEGINS_ANEW.test(own) ? [at] : [];
  });
  return starts.map((from, place) => {
    const to = starts[place + 1] ?? lines.length;
    return { from, to, isWrapped: width >= MIN_WIDTH && isWrapped(lines.slice(from, to), width) };
  });
}

/** True when the group is a whole paragraph, perhaps with a term of AsciiDoc. */
export function isWholeParagraph({ from, to }: LineGroup, lines: readonly string[]): boolean {
  return [lines[from - 1], lines[to]].every((line) => line === undefined || BORDER.test(line) || TERM.test(line));
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** How many of the lines belong to wrapped prose. */
export function wrappedLines(lines: readonly string[]): number {
  return lineGroups(lines).reduce((sum, { from, to, isWrapped: wraps }) => sum + (wraps ? to - from : 0), 0);
}

/** Many lines without punctuation at their ends are not wrapped when one of them had room for the next word. */
function isWrapped(lines: readonly string[], width: number): boolean {
  if (!lines.every(mayBeProse) || !lines.slice(0, -1).every((line) => isFull(line, width))) return false;
  return lines.length < MIN_SIGNED || lines.some(endsLikeProse) || !lines.some((_, at) => hasRoomAt(at, lines, width));
}

/** False for a line without letters and digits, for columns, and for a line of a program. */
function mayBeProse(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line) && !hasColumns(line) && !OF_PROGRAM.test(line);
}

function hasRoomAt(at: number, lines: readonly string[], width: number): boolean {
  const next = lines[at + 1]?.trim().split(/\s/u)[0];
  return next !== undefined && `${lines[at]?.trimEnd()} ${next}`.length <= width;
}

export function endsLikeProse(line: string): boolean {
  return ENDS_LIKE_PROSE.test(line);
}

function isFull(line: string, width: number): boolean {
  return line.trimEnd().length >= MIN_FULL * width;
}

export function hasColumns(line: string): boolean {
  return GAP.test(line);
}
