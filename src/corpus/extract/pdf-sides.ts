// Judges what stands at both sides of a gutter, by its words and by the order in which it was written into the file:
// columns of a text, or cells of a table.
import type { Fragment } from "./pdf-fragments.ts";
import { rowsOf } from "./pdf-lines.ts";

export interface Sides {
  left: Fragment[];
  right: Fragment[];
}

/** So many rows are columns by their places alone, when most of the page agrees or they are long. */
const MIN_ROWS = 5;
/** Per row: columns of sentences are long; cells of a table are short. */
const MIN_COLUMN_LETTERS = 30;
/** A row with so many letters is part of a sentence. */
const MIN_PROSE_LETTERS = 20;
const TURNS_PER_ROW = 1 / 4;
/** In heights of the letters. */
const UPWARDS = 0.5;

export function areColumns(sides: Sides, isOfPage: boolean): boolean {
  const rows = lowerCount(sides);
  if (rows >= MIN_ROWS && (isOfPage || hasLongRows(sides))) return !isTable(sides);
  const hasProse = isProse(sides.left) || isProse(sides.right);
  return rows > 0 && hasProse && wasWrittenUpwards(sides);
}

/** Cells are short, or written line by line across the gutter. */
export function isTable(sides: Sides): boolean {
  if (sides.left.length === 0 || sides.right.length === 0) return false;
  if (turnsOf(sides) <= Math.max(1, TURNS_PER_ROW * lowerCount(sides))) return false;
  return !hasLongRows(sides);
}

/** From left to right, unless the file has all that stands at the right before what stands at the left. */
export function inOrder(sides: Sides): [Fragment[], Fragment[]] {
  const { left, right } = sides;
  return turnsOf(sides) === 1 && firstOf(right) < firstOf(left) ? [right, left] : [left, right];
}

/** How often the file goes over to the other side. */
export function turnsOf({ left, right }: Sides): number {
  const ordered = [...left.map(({ order }) => ({ order, side: 0 })), ...right.map(({ order }) => ({ order, side: 1 }))];
  ordered.sort((one, other) => one.order - other.order);
  return ordered.filter((fragment, at) => at > 0 && fragment.side !== ordered[at - 1]?.side).length;
}

export function firstOf(fragments: readonly Fragment[]): number {
  return fragments.reduce((least, { order }) => Math.min(least, order), Number.POSITIVE_INFINITY);
}

export function lastOf(fragments: readonly Fragment[]): number {
  return fragments.reduce((most, { order }) => Math.max(most, order), Number.NEGATIVE_INFINITY);
}

/** One side as a whole, and then, up from where it ended, the other. Nobody writes the cells of a table so. */
function wasWrittenUpwards(sides: Sides): boolean {
  if (turnsOf(sides) !== 1) return false;
  const [one, other] =
    firstOf(sides.left) < firstOf(sides.right) ? [sides.left, sides.right] : [sides.right, sides.left];
  const [last, first] = [lastOf(one), firstOf(other)];
  const end = one.find(({ order }) => order === last);
  const start = other.find(({ order }) => order === first);
  return end !== undefined && start !== undefined && start.y < end.y - UPWARDS * Math.max(start.size, end.size);
}

function isProse(fragments: readonly Fragment[]): boolean {
  return rowsOf(fragments).some((row) => {
    const text = row.map((fragment) => fragment.text).join(" ");
    // A letter of Chinese or Japanese says as much as two.
    return countOf(text, /\p{L}/gu) + countOf(text, /\p{Lo}/gu) >= MIN_PROSE_LETTERS;
  });
}

function countOf(text: string, letters: RegExp): number {
  return text.match(letters)?.length ?? 0;
}

function lowerCount({ left, right }: Sides): number {
  return Math.min(rowsOf(left).length, rowsOf(right).length);
}

function hasLongRows({ left, right }: Sides): boolean {
  return Math.min(lettersPerRow(left), lettersPerRow(right)) >= MIN_COLUMN_LETTERS;
}

function lettersPerRow(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, rowsOf(fragments).length);
}
