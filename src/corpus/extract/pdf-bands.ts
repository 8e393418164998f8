// Cuts the rows around a gutter into bands that are read one after the other: set in columns, or across.
import type { Fragment } from "./pdf-fragments.ts";
import { isAcross, isRightOf } from "./pdf-gutter.ts";
import { rowsOf } from "./pdf-lines.ts";
import { firstOf, lastOf, turnsOf, type Sides } from "./pdf-sides.ts";

type Row = readonly Fragment[];

export interface Band extends Sides {
  /** When not, everything is at the left. */
  isSplit: boolean;
}

export function bandsOf(rows: readonly Row[], x: number): Band[] {
  const bands: Band[] = [];
  const splits = splitsOf(rows, x);
  for (const [at, row] of rows.entries()) {
    const isSplit = splits[at] ?? false;
    const last = bands.at(-1);
    const band = last?.isSplit === isSplit ? last : { isSplit, left: [], right: [] };
    if (band !== last) bands.push(band);
    for (const fragment of row) (isSplit && isRightOf(fragment, x) ? band.right : band.left).push(fragment);
  }
  return bands.flatMap((band) => (band.isSplit ? withoutReturns(band) : [band]));
}

/** Per row. The short last line of a paragraph that goes across does not cross the gutter, and still belongs to it. */
function splitsOf(rows: readonly Row[], x: number): boolean[] {
  const below = firstBelow(rows, (row) => isAcross(row, x));
  let isSplit = false;
  return rows.map((row, at) => {
    const next = rows[at + 1] ?? [];
    if (isAcross(row, x)) isSplit = false;
    else isSplit ||= hasRight(row, x) || (isBeside(row, next) && hasRight(next, x)) || firstOf(row) > (below[at] ?? 0);
    return isSplit;
  });
}

function hasRight(row: Row, x: number): boolean {
  return !isAcross(row, x) && row.some((fragment) => isRightOf(fragment, x));
}

/** So near above the other that they may stand beside each other. */
function isBeside([one]: Row, [below]: Row): boolean {
  return one !== undefined && below !== undefined && below.y - one.y < below.size;
}

/** Per row what the file has first of the rows below it, down to one that ends them. */
function firstBelow(rows: readonly Row[], isEnd: (row: Row) => boolean): number[] {
  const below: number[] = [];
  let first = Number.POSITIVE_INFINITY;
  for (const [at, row] of [...rows.entries()].reverse()) {
    below[at] = first;
    first = isEnd(row) ? Number.POSITIVE_INFINITY : Math.min(first, firstOf(row));
  }
  return below;
}

/** With more turns than this, and than one in so many rows, the file was written line by line. */
const MAX_TURNS = 3;
const ROWS_PER_TURN = 4;

/** A band ends where the file, done with the right column, goes on at the left, below all it has had so far. */
function withoutReturns(band: Band): Band[] {
  const rows = rowsOf([...band.left, ...band.right]);
  const turns = turnsOf(band);
  if (turns < 2 || turns > Math.max(MAX_TURNS, rows.length / ROWS_PER_TURN)) return [band];
  const atLeft = new Set(band.left.map(({ order }) => order));
  const below = firstBelow(rows, () => false);
  let open: Band = { isSplit: true, left: [], right: [] };
  let last = -1;
  const bands = [open];
  for (const [at, row] of rows.entries()) {
    const next = Math.min(firstOf(row), below[at] ?? 0);
    if (open.left.length > 0 && next > last && atLeft.has(next) && !atLeft.has(last)) {
      open = { isSplit: true, left: [], right: [] };
      bands.push(open);
    }
    for (const fragment of row) (atLeft.has(fragment.order) ? open.left : open.right).push(fragment);
    last = Math.max(last, lastOf(row));
  }
  return bands;
}
