// Cuts a page of a PDF into the parts that are read one after the other: columns, and the text above and below them.
import type { Fragment } from "./pdf-fragments.ts";
import { rowsOf } from "./pdf-lines.ts";

/** Text that continues this many heights of its letters further up begins another column. A formula goes up by less. */
const UPWARDS = 1.1;
/** On a page of more runs the order of the file means nothing. */
const MAX_RUNS = 20;
/** A shorter run is no column, but the label of a picture or a cell of a table. */
const MIN_RUN_LETTERS = 60;
/** Columns that were written line by line have at least this many rows, and on average this many letters a row. */
const MIN_ROWS = 5;
const MIN_COLUMN_LETTERS = 30;
/** The gap between such columns is searched for at this many places, but not within this share of the width from its edges. */
const EDGE = 0.2;
const PLACES = 80;
/** Half of the gap, in points. Narrower strips are free by chance. */
const HALF_GAP = 4;
const MAX_DEPTH = 4;
/** In points. Fragments whose base lines are this near are on one level. */
const LEVEL_HEIGHT = 4;

type Row = readonly Fragment[];

/** Fragments that the file has one after the other from top to bottom. */
interface Run {
  fragments: Fragment[];
  top: number;
  bottom: number;
  /** The left and right end of each level. */
  spans: Map<number, { x: number; right: number }>;
}

/** The parts in reading order. That is the order of the file if it has one column after the other. */
export function columnsOf(fragments: readonly Fragment[]): Fragment[][] {
  const runs = runsOf(fragments);
  return runs.flatMap((run) => piecesOf(run, runs)).flatMap((piece) => columnsIn(rowsOf(piece), 0));
}

function runsOf(fragments: readonly Fragment[]): Run[] {
  const written: Fragment[][] = [];
  for (const fragment of fragments) {
    const run = written.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || fragment.y < last.y - UPWARDS * fragment.size)
      written.push([fragment]);
    else run.push(fragment);
  }
  if (written.length > MAX_RUNS) return [withFragments(newRun(), fragments)];
  const runs: Run[] = [];
  for (const one of written.map((own) => withFragments(newRun(), own))) {
    // A file may have the words of one line in two places, such as all bold words behind all others.
    const around =
      runs.find((run) => areMixed(run, one)) ?? (lettersIn(one.fragments) < MIN_RUN_LETTERS ? runs.at(-1) : undefined);
    if (around === undefined) runs.push(one);
    else withFragments(around, one.fragments);
  }
  return runs;
}

function newRun(): Run {
  return { fragments: [], top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY, spans: new Map() };
}

function withFragments(run: Run, fragments: readonly Fragment[]): Run {
  for (const fragment of fragments) {
    const level = Math.round(fragment.y / LEVEL_HEIGHT);
    const { x, right } = run.spans.get(level) ?? fragment;
    run.spans.set(level, { x: Math.min(x, fragment.x), right: Math.max(right, fragment.right) });
    run.top = Math.min(run.top, fragment.y - fragment.size / 2);
    run.bottom = Math.max(run.bottom, fragment.y + fragment.size / 2);
    run.fragments.push(fragment);
  }
  return run;
}

function lettersIn(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { text }) => sum + text.length, 0);
}

function areMixed(one: Run, other: Run): boolean {
  return [...one.spans].some(([level, { x, right }]) => {
    const beside = other.spans.get(level);
    return beside !== undefined && x < beside.right && beside.x < right;
  });
}

/** Cuts a run where another one begins or ends, so that the text next to a column, above it and below it are parts. */
function piecesOf(run: Run, runs: readonly Run[]): Fragment[][] {
  const levels = runs.filter((other) => other !== run).flatMap(({ top, bottom }) => [top, bottom]);
  const pieces = Map.groupBy(run.fragments, ({ y }) => levels.filter((level) => level < y).length);
  return [...pieces].sort(([above], [below]) => above - below).map(([, fragments]) => fragments);
}

// --- columns that were written line by line ---------------------------------------------------------------------

function columnsIn(rows: readonly Row[], depth: number): Fragment[][] {
  const gutter = depth < MAX_DEPTH ? gutterIn(rows) : null;
  if (gutter === null) return rows.length === 0 ? [] : [rows.flat()];
  const { x, from, to } = gutter;
  const inside = rows.slice(from, to).flat();
  const sides = [inside.filter((fragment) => fragment.x < x), inside.filter((fragment) => fragment.x >= x)];
  return [
    ...columnsIn(rows.slice(0, from), depth + 1),
    ...sides.flatMap((side) => columnsIn(rowsOf(side), depth + 1)),
    ...columnsIn(rows.slice(to), depth + 1),
  ];
}

/** The strip at `x` that the rows `from` to `to` leave free, with text at both sides. */
interface Gutter {
  x: number;
  from: number;
  to: number;
}

function gutterIn(rows: readonly Row[]): Gutter | null {
  const [left, right] = rows
    .flat()
    .reduce(
      ([least, most], fragment) => [Math.min(least, fragment.x), Math.max(most, fragment.right)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    );
  let best: { gutters: Gutter[]; beside: number } = { gutters: [], beside: 0 };
  for (let place = 0; place <= PLACES; place++) {
    const x = left + (right - left) * (EDGE + ((1 - 2 * EDGE) * place) / PLACES);
    const { beside, ...stretch } = stretchAt(rows, x);
    if (beside > best.beside) best = { gutters: [{ x, ...stretch }], beside };
    else if (beside === best.beside && best.gutters[0]?.from === stretch.from) best.gutters.push({ x, ...stretch });
  }
  return best.beside < MIN_ROWS ? null : (best.gutters[Math.floor(best.gutters.length / 2)] ?? null);
}

/** The neighbouring rows that leave `x` free and have the most rows at both sides; `beside` is the number of these. */
function stretchAt(rows: readonly Row[], x: number): { from: number; to: number; beside: number } {
  let best = { from: 0, to: 0, beside: 0 };
  let from = 0;
  for (let at = 0; at <= rows.length; at++) {
    const row = rows[at];
    if (row !== undefined && !row.some((fragment) => fragment.x < x + HALF_GAP && fragment.right > x - HALF_GAP))
      continue;
    // A row at the left alone may be the last line of a paragraph over the whole width. It begins no columns.
    while (from < at && !rows[from]?.some((fragment) => fragment.x >= x)) from++;
    const beside = besideIn(rows.slice(from, at), x);
    if (beside > best.beside) best = { from, to: at, beside };
    from = at + 1;
  }
  return best;
}

/** The rows at the side with fewer of them; 0 when a side has rows as short as the cells of a table. */
function besideIn(rows: readonly Row[], x: number): number {
  const sides = [(fragment: Fragment) => fragment.x < x, (fragment: Fragment) => fragment.x >= x].map((isThere) => {
    const texts = rows.map((row) => row.filter(isThere)).filter((row) => row.length > 0);
    return lettersIn(texts.flat()) < MIN_COLUMN_LETTERS * texts.length ? 0 : texts.length;
  });
  return Math.min(...sides);
}
