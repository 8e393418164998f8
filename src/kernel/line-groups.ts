// Tells lines that a file wrapped, which are one text, from lines that their author ended: lists, columns, addresses, programs.

/** Where no line is longer, lines end because their author ended them. */
const MIN_WIDTH = 50;
/** A wrapped line takes at least this share of the longest one. */
const MIN_FULL = 0.6;
/** In so many lines of prose one has a sign at its end. */
const MIN_SIGNED = 5;
const BEGINS_ANEW = /^\s*(?:(?:[-*+•:>#]|\d+[.)])\s|\|)/;
/** Blanks that set columns apart. */
const GAP = /\S(?:\t|\s{3,})\S/;

const ENDS_LIKE_PROSE = /[.,:!?…。、，：！？]["'”’»)\]*_]*\s*$/u;

/** Lines `from` up to, not with, `to`. */
export interface LineGroup {
  from: number;
  to: number;
  /** One text, that goes on from line to line. */
  isWrapped: boolean;
}

/** Cut where a line begins anew: items of lists, terms, quotations, and text that is indented otherwise. */
export function lineGroups(lines: readonly string[]): LineGroup[] {
  const width = Math.max(...lines.map((line) => line.trimEnd().length));
  const starts = lines.flatMap((own, at) => {
    const before = lines[at - 1] ?? "";
    // The further lines of an item stand below its first word, and the first line of a quote may have lost its indent.
    const mayDiffer = BEGINS_ANEW.test(before) || (at === 1 && isFull(before, width));
    const isAside = indentOf(own) !== indentOf(before) && !mayDiffer;
    return at === 0 || isAside || BEGINS_ANEW.test(own) ? [at] : [];
  });
  return starts.map((from, place) => {
    const to = starts[place + 1] ?? lines.length;
    return { from, to, isWrapped: width >= MIN_WIDTH && isWrapped(lines.slice(from, to), width) };
  });
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line of signs alone is no prose. Many lines without a sign at an end are none where one had room for the next word. */
function isWrapped(lines: readonly string[], width: number): boolean {
  const isProse = lines.every((line) => /[\p{L}\p{N}]/u.test(line) && !hasColumns(line));
  if (!isProse || !lines.slice(0, -1).every((line) => isFull(line, width))) return false;
  return lines.length < MIN_SIGNED || lines.some(endsLikeProse) || !lines.some((_, at) => hasRoomAt(at, lines, width));
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
