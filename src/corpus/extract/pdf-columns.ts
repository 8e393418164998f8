// Takes a page apart into the stretches that are read one after the other: columns, and what stands above and below them.
import type { Fragment } from "./pdf-fragments.ts";
import { rowsOf } from "./pdf-lines.ts";

/** In heights of the letters: text that goes on so much further up begins another column. A formula goes up by less. */
const UPWARDS = 1.1;
/** A page in more pieces has no order of its own. */
const MAX_RUNS = 20;
/** What is shorter is no column: the label of a picture, a cell of a table. */
const MIN_RUN_LETTERS = 60;
/** Columns that were written line by line are at least so long, and each of their rows has so many letters. */
const MIN_ROWS = 5;
const MIN_COLUMN_LETTERS = 30;
/** Where a gap between such columns may be, as a share of the width, and at how many places it is looked for. */
const EDGE = 0.2;
const PLACES = 80;
/** Half of a gap, in points: narrower strips are free by chance. */
const HALF_GAP = 4;
const MAX_DEPTH = 4;
/** In points: rows whose base lines are so near are one. */
const LEVEL_HEIGHT = 4;

type Row = readonly Fragment[];

/** What was written downwards in one go. */
interface Run {
  fragments: Fragment[];
  top: number;
  bottom: number;
  /** How far it reaches to both sides, by the level of its rows. */
  spans: Map<number, { x: number; right: number }>;
}

/** In the order of the file, which is that of a reader wherever columns were written one after the other. */
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
    // Words of one line may be written at two times: all that is bold behind all that is not.
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

/** What stands beside a column is read by itself, and so is what stands above and below it. */
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

/** Neighbouring rows that leave a strip free, with text at both sides of it. */
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

/** The stretch with the most rows at both sides; 0 where they are as short as the cells of a table. */
function stretchAt(rows: readonly Row[], x: number): { from: number; to: number; beside: number } {
  let best = { from: 0, to: 0, beside: 0 };
  let from = 0;
  for (let at = 0; at <= rows.length; at++) {
    const row = rows[at];
    if (row !== undefined && !row.some((fragment) => fragment.x < x + HALF_GAP && fragment.right > x - HALF_GAP))
      continue;
    // The short last line of a paragraph that goes across stands at the left alone, and still belongs to it.
    while (from < at && !rows[from]?.some((fragment) => fragment.x >= x)) from++;
    const beside = besideIn(rows.slice(from, at), x);
    if (beside > best.beside) best = { from, to: at, beside };
    from = at + 1;
  }
  return best;
}

function besideIn(rows: readonly Row[], x: number): number {
  const sides = [(fragment: Fragment) => fragment.x < x, (fragment: Fragment) => fragment.x >= x].map((isThere) => {
    const texts = rows.map((row) => row.filter(isThere)).filter((row) => row.length > 0);
    return lettersIn(texts.flat()) < MIN_COLUMN_LETTERS * texts.length ? 0 : texts.length;
  });
  return Math.min(...sides);
}
