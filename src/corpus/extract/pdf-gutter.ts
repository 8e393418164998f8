// Finds where a page is set in columns: a stretch of rows that keep a vertical strip free, with text at both sides of it.
import type { Fragment } from "./pdf-fragments.ts";
import { lastOf } from "./pdf-sides.ts";

type Row = readonly Fragment[];

export interface Gutter {
  /** The middle of the strip. */
  x: number;
  /** The first of the rows, and the one behind the last. */
  from: number;
  to: number;
}

const STEP = 2;
/** Where a gap between columns may be, as a share of the width. */
const EDGE = 0.2;
/** Some lines are too long for their column. */
const LOST_SHARE = 0.1;
const MIN_WIDTH = 6;
/** Rows nearer than a line, in heights of the letters, stand beside each other. */
const BESIDE = 0.9;
/** In heights of the letters: so much white space across the page, and what it costs to go over it, in rows. */
const APART = 3;
const PRICE_OF_SPACE = 2;

/** The stretch with the most rows at both sides of one strip, less those that cross it. */
export function gutterOf(rows: readonly Row[]): Gutter | null {
  const { places, step } = placesIn(rows);
  let best = { gain: 0, from: 0, to: 0 };
  for (const x of places) {
    const stretch = bestStretch(rows, x);
    if (stretch.gain > best.gain) best = stretch;
  }
  if (best.gain === 0) return null;
  const inside = rows.slice(best.from, best.to);
  const gains = places.map((x) => gainAt(inside, x));
  const most = Math.max(...gains);
  const strip = longestRun(gains, most - Math.floor(LOST_SHARE * most));
  if (strip.length * step < MIN_WIDTH) return null;
  return withNeighbours(rows, { ...best, x: (places[strip.from] ?? 0) + (strip.length * step) / 2 });
}

/** How many more rows have text at both sides than cross. */
export function gainAt(rows: readonly Row[], x: number): number {
  return gainsAt(rows, x).reduce((sum, gain) => sum + gain, 0);
}

export function isAcross(row: Row, x: number): boolean {
  return row.some((fragment) => fragment.x < x && fragment.right > x);
}

export function isRightOf(fragment: Fragment, x: number): boolean {
  return fragment.x >= x;
}

/** A page may be said to be as wide as anything. */
const MAX_PLACES = 1_000;

function placesIn(rows: readonly Row[]): { places: number[]; step: number } {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const fragment of rows.flat()) [left, right] = [Math.min(left, fragment.x), Math.max(right, fragment.right)];
  const width = right - left;
  const inner = (1 - 2 * EDGE) * width;
  const step = Math.max(STEP, inner / MAX_PLACES);
  const count = Math.max(0, Math.floor(inner / step));
  return { places: Array.from({ length: count }, (_, at) => left + EDGE * width + at * step), step };
}

const ACROSS = -1;
const LEFT = 1;
const RIGHT = 2;
const BOTH = LEFT | RIGHT;

function sidesOf(row: Row, x: number): number {
  let sides = 0;
  for (const fragment of row) {
    if (fragment.x >= x) sides |= RIGHT;
    else if (fragment.right <= x) sides |= LEFT;
    else return ACROSS;
  }
  return sides;
}

/** Per row 1 with text at both sides, -1 across, else 0. Lines of two columns need not have the same height. */
function gainsAt(rows: readonly Row[], x: number): number[] {
  const sides = rows.map((row) => sidesOf(row, x));
  return sides.map((own, at) => {
    if (own === ACROSS || own === BOTH) return own === BOTH ? 1 : -1;
    const around = [at - 1, at + 1].filter(
      (other) => (sides[other] ?? ACROSS) !== ACROSS && areBeside(rows[at], rows[other]),
    );
    return around.some((other) => (own | (sides[other] ?? 0)) === BOTH) ? 1 : 0;
  });
}

function distanceOf(one: Row | undefined, other: Row | undefined): number {
  const [first] = one ?? [];
  const [second] = other ?? [];
  if (first === undefined || second === undefined) return 0;
  return Math.abs(first.y - second.y) / Math.max(first.size, second.size);
}

function areBeside(one: Row | undefined, other: Row | undefined): boolean {
  return distanceOf(one, other) < BESIDE;
}

function areApart(one: Row | undefined, other: Row | undefined): boolean {
  return distanceOf(one, other) > APART;
}

/** The neighbouring rows with the largest sum. */
function bestStretch(rows: readonly Row[], x: number): { gain: number; from: number; to: number } {
  let best = { gain: 0, from: 0, to: 0 };
  let sum = 0;
  let from = 0;
  for (const [at, gain] of gainsAt(rows, x).entries()) {
    if (areApart(rows[at - 1], rows[at])) sum -= PRICE_OF_SPACE;
    if (sum <= 0) [sum, from] = [0, at];
    sum += gain;
    if (sum > best.gain) best = { gain: sum, from, to: at + 1 };
  }
  return best;
}

/** The longest run of values from the limit upwards. */
function longestRun(values: readonly number[], limit: number): { from: number; length: number } {
  let longest = { from: 0, length: 0 };
  let from = 0;
  values.forEach((value, at) => {
    if (value < limit) from = at + 1;
    else if (at + 1 - from > longest.length) longest = { from, length: at + 1 - from };
  });
  return longest;
}

/** Columns are not equally long: rows above and below that do not cross belong to one of them. */
function withNeighbours(rows: readonly Row[], { x, from, to }: Gutter): Gutter {
  const joins = (row: Row | undefined, inner: Row | undefined): boolean =>
    row !== undefined && !isAcross(row, x) && !areApart(row, inner);
  let [first, end] = [from, to];
  while (joins(rows[first - 1], rows[first])) first--;
  const atRight = rows.slice(first, to).flatMap((row) => row.filter((fragment) => isRightOf(fragment, x)));
  const last = lastOf(atRight);
  // What was written when both columns had ended stands below them.
  const isAfter = (row: Row): boolean => row.every((fragment) => !isRightOf(fragment, x) && fragment.order > last);
  while (joins(rows[end], rows[end - 1]) && !isAfter(rows[end] ?? [])) end++;
  return { x, from: first, to: end };
}
