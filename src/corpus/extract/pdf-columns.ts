// Takes a page apart into the columns it is set in, in the order they are read; tables are left whole.
import type { Fragment } from "./pdf-fragments.ts";
import { rowsOf } from "./pdf-lines.ts";

const STEP = 2;
/** Where a gap between columns may be, as a share of the width. */
const EDGE = 0.2;
/** Some lines are too long for their column. */
const LOST_SHARE = 0.05;
const MIN_ROWS = 5;
const MIN_GUTTER = 6;
/** Columns of sentences are long; cells of a table are short. */
const MIN_COLUMN_LETTERS = 30;
const MAX_DEPTH = 3;

/** Each part is one column or a stretch that goes across; its rows belong together. */
export function columnsOf(fragments: readonly Fragment[], depth = 0): Fragment[][] {
  if (fragments.length === 0) return [];
  const rows = rowsOf(fragments);
  const gutter = depth < MAX_DEPTH && rows.length >= MIN_ROWS ? gutterOf(rows) : null;
  const bands = gutter === null ? [] : bandsOf(rows, gutter);
  if (!bands.some((band) => band.isSplit && hasColumns(band))) return [[...fragments]];
  return bands.flatMap(({ isSplit, left, right }) =>
    isSplit && !isTable(left, right)
      ? [...columnsOf(left, depth + 1), ...columnsOf(right, depth + 1)]
      : [[...left, ...right]],
  );
}

/** The middle of the vertical strip with the most rows at both sides of it and the fewest that cross it. */
function gutterOf(rows: readonly Fragment[][]): number | null {
  const all = rows.flat();
  const left = Math.min(...all.map((fragment) => fragment.x));
  const width = Math.max(...all.map((fragment) => fragment.right)) - left;
  const steps = Math.floor(((1 - 2 * EDGE) * width) / STEP);
  const places = Array.from({ length: Math.max(0, steps) }, (_, step) => left + EDGE * width + step * STEP);
  const gains = places.map((x) => gainAt(rows, x));
  const most = Math.max(...gains);
  const strip = longestRun(gains, most - Math.max(1, LOST_SHARE * rows.length));
  return most > 0 && strip.length * STEP >= MIN_GUTTER ? (places[strip.from] ?? 0) + (strip.length * STEP) / 2 : null;
}

/** Positive when more rows stand at either side than cross; so few columns as would be none count for nothing. */
function gainAt(rows: readonly Fragment[][], x: number): number {
  let [left, right, crossing] = [0, 0, 0];
  for (const row of rows) {
    if (row.some((fragment) => crosses(fragment, x))) crossing++;
    if (row.some((fragment) => fragment.right <= x)) left++;
    if (row.some((fragment) => fragment.x >= x)) right++;
  }
  const sides = Math.min(left, right);
  return sides < MIN_ROWS ? 0 : sides - crossing;
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

function crosses(fragment: Fragment, x: number): boolean {
  return fragment.x < x && fragment.right > x;
}

interface Band {
  isSplit: boolean;
  /** Everything, when the band is not split. */
  left: Fragment[];
  right: Fragment[];
}

/** Neighbouring rows that go across the gutter, or that do not. */
function bandsOf(rows: readonly Fragment[][], gutter: number): Band[] {
  const bands: Band[] = [];
  for (const row of withTails(rows, gutter)) {
    const band = bands.at(-1);
    const fits = band?.isSplit === row.isSplit ? band : { isSplit: row.isSplit, left: [], right: [] };
    if (fits !== band) bands.push(fits);
    for (const fragment of row.fragments) {
      (row.isSplit && fragment.x >= gutter ? fits.right : fits.left).push(fragment);
    }
  }
  return bands;
}

/** The short last line of a paragraph that goes across does not cross the gutter, and still belongs to it. */
function withTails(
  rows: readonly Fragment[][],
  gutter: number,
): { isSplit: boolean; fragments: readonly Fragment[] }[] {
  let isSplit = false;
  return rows.map((fragments, at) => {
    const isAcross = fragments.some((fragment) => crosses(fragment, gutter));
    if (isAcross) isSplit = false;
    else isSplit ||= hasRight(fragments, gutter) || hasRight(rows[at + 1] ?? [], gutter, fragments);
    return { isSplit, fragments };
  });
}

/** With `above`: only when the row is so near below it that they may stand beside each other. */
function hasRight(row: readonly Fragment[], gutter: number, above?: readonly Fragment[]): boolean {
  const [first] = row;
  if (first === undefined || row.some((fragment) => crosses(fragment, gutter))) return false;
  const isNear = above === undefined || first.y - (above[0]?.y ?? 0) < first.size;
  return isNear && row.some((fragment) => fragment.x >= gutter);
}

function hasColumns({ left, right }: Band): boolean {
  return Math.min(rowsOf(left).length, rowsOf(right).length) >= MIN_ROWS && !isTable(left, right);
}

/** Cells are short, or written line by line across the gutter. */
function isTable(left: readonly Fragment[], right: readonly Fragment[]): boolean {
  if (left.length === 0 || right.length === 0) return false;
  const ordered = [...left.map(({ order }) => ({ order, side: 0 })), ...right.map(({ order }) => ({ order, side: 1 }))];
  ordered.sort((one, other) => one.order - other.order);
  const turns = ordered.filter((fragment, at) => at > 0 && fragment.side !== ordered[at - 1]?.side).length;
  const rows = Math.min(rowsOf(left).length, rowsOf(right).length);
  if (turns <= Math.max(1, rows / 4)) return false;
  return Math.min(lettersPerRow(left), lettersPerRow(right)) < MIN_COLUMN_LETTERS;
}

function lettersPerRow(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, rowsOf(fragments).length);
}
