// Takes a page apart into the columns it is set in, in the order they are read; tables are left whole.
import { bandsOf, type Band } from "./pdf-bands.ts";
import type { Fragment } from "./pdf-fragments.ts";
import { gainAt, gutterOf } from "./pdf-gutter.ts";
import { rowsOf } from "./pdf-lines.ts";
import { areColumns, firstOf, inOrder, isTable, lastOf } from "./pdf-sides.ts";

/** Columns within columns, and stretches of them above each other. */
const MAX_DEPTH = 6;

interface Part {
  isColumn: boolean;
  fragments: Fragment[];
}

/** Each part is one column or a stretch that goes across; its rows belong together. */
export function columnsOf(fragments: readonly Fragment[]): Fragment[][] {
  const rows = rowsOf(fragments);
  const head = isWrittenLast(rows) ? 1 : 0;
  return joined([...partsOf(rows.slice(0, head), 0), ...partsOf(rows.slice(head), 0)]).map((part) => part.fragments);
}

/** Browsers write the line at the head of a page after all of the page, and only that at its foot behind it. */
function isWrittenLast([head = [], ...rest]: readonly Fragment[][]): boolean {
  const own = firstOf(head);
  const foot = rest.findIndex((row) => lastOf(row) > own);
  const above = foot === -1 ? rest.length : foot;
  return above > 0 && rest.slice(above).every((row) => firstOf(row) > own);
}

function partsOf(rows: readonly Fragment[][], depth: number): Part[] {
  if (rows.length === 0) return [];
  const gutter = depth < MAX_DEPTH ? gutterOf(rows) : null;
  if (gutter === null) return [{ isColumn: false, fragments: rows.flat() }];
  const { x, from, to } = gutter;
  return joined([
    ...partsOf(rows.slice(0, from), depth + 1),
    ...partsBeside(rows.slice(from, to), x, gainAt(rows, x) > 0, depth + 1),
    ...partsOf(rows.slice(to), depth + 1),
  ]);
}

/** `isOfPage`: more rows keep to the gutter than cross it, also above and below. */
function partsBeside(rows: readonly Fragment[][], x: number, isOfPage: boolean, depth: number): Part[] {
  const bands = bandsOf(rows, x);
  if (!bands.some((band) => band.isSplit && areColumns(band, isOfPage))) {
    return [{ isColumn: false, fragments: rows.flat() }];
  }
  return bands.flatMap((band) => partsOfBand(band, depth));
}

function partsOfBand(band: Band, depth: number): Part[] {
  if (!band.isSplit || isTable(band)) return partsOf(rowsOf([...band.left, ...band.right]), depth);
  return inOrder(band).flatMap((side) => partsOf(rowsOf(side), depth).map((part) => ({ ...part, isColumn: true })));
}

/** What stands below each other and in no column is one part. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last === undefined || last.isColumn || part.isColumn) all.push(part);
    else last.fragments = [...last.fragments, ...part.fragments];
  }
  return all;
}
