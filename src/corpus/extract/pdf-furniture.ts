// Removes running titles and page numbers at the top and bottom of pages.
import type { Fragment } from "./pdf-fragments.ts";
import { rowsOf } from "./pdf-lines.ts";

/** How many rows at the top and at the bottom of a page may be furniture. */
const OUTER_ROWS = 3;
/** A row at the same place of this many pages is a running title. */
const MIN_REPEATS = 2;
/** In points. Places that differ by less are one. */
const PLACE_HEIGHT = 3;
/** A number that rises with the page over this many pages is the number of the page, whatever title is next to it. */
const MIN_COUNTING = 3;
/** A running title is not larger than the text. A larger row is a heading with its number. */
const LARGER = 1.13;
/** The number of a page is as large as the title next to it, while the number of a note is smaller than the note. */
const SMALLER = 0.9;
/** The space between the two titles of a row, and below it, in sizes of its letters. */
const BETWEEN_TITLES = 3;
const BELOW_TITLES = 2;
const PAGE_NUMBER = /^\W*((page|seite|p\.|s\.)\s*)?(\d{1,4}|[ivxlc]{1,7})(\s*(of|von|\/)\s*\d{1,4})?\W*$/i;

export function withoutFurniture(pages: readonly Fragment[][]): Fragment[][] {
  const edges = pages.map(edgesOf);
  const texts = counted(edges.flatMap((both) => [...new Set(both.flat().map(textKey))]));
  const filled = pages.filter((page) => page.length > 0).length;
  const counting = counted(
    edges.flatMap((both, page) => [...new Set(both.flatMap((rows) => countsIn(rows[0], page)))]),
  );
  const titles = counted(edges.flatMap((both) => [...new Set(both.flatMap(titlesBesideOthers))]));
  const isTitles = (rows: readonly Fragment[][]): boolean =>
    titlesBesideOthers(rows).some((title) => (titles.get(title) ?? 0) >= MIN_REPEATS);
  const isCounted = (row: readonly Fragment[], page: number): boolean =>
    countsIn(row, page).some((count) => (counting.get(count) ?? 0) >= MIN_COUNTING) && !isLarge(row, pages[page] ?? []);
  const isFurniture = (row: readonly Fragment[], at: number, page: number): boolean =>
    (/\p{L}/u.test(textOf(row)) && (texts.get(textKey(row)) ?? 0) >= MIN_REPEATS) ||
    (at === 0 && ((filled > 1 && PAGE_NUMBER.test(textOf(row))) || isCounted(row, page)));
  return pages.map((fragments, page) => {
    const isDropped = (rows: readonly Fragment[][]) => (row: readonly Fragment[], at: number) =>
      isFurniture(row, at, page) || (at === 0 && isTitles(rows));
    const dropped = new Set(
      (edges[page] ?? []).flatMap((rows) => rows.slice(0, lengthWhile(rows, isDropped(rows)))).flat(),
    );
    return fragments.filter((fragment) => !dropped.has(fragment));
  });
}

/** The numbers at the ends of a row, minus the index of the page. For page numbers the difference is the same on each page. */
function countsIn(row: readonly Fragment[] = [], page: number): string[] {
  const sorted = [...row].sort((left, right) => left.x - right.x);
  const least = SMALLER * Math.max(...row.map(({ size }) => size));
  const ends = sorted.length < 2 ? [] : [...sorted.slice(0, 1), ...sorted.slice(-1)];
  const numbers = ends.filter(({ text, size }) => /^\d{1,4}$/.test(text) && size >= least);
  return numbers.map(({ text }) => String(Number(text) - page));
}

/**
 * The place and the text of each title in the outermost row, when it has two far from each other and is apart from the text:
 * that of the chapter comes again, also where that of the section next to it does not.
 */
function titlesBesideOthers([row = [], next = []]: readonly Fragment[][]): string[] {
  const sorted = [...row].sort((left, right) => left.x - right.x);
  const size = Math.max(0, ...row.map((fragment) => fragment.size));
  const below = Math.abs((next[0]?.y ?? 0) - (row[0]?.y ?? 0));
  const middle = sorted.findIndex((one, at) => one.x - (sorted[at - 1]?.right ?? one.x) > BETWEEN_TITLES * size);
  if (middle === -1 || next.length === 0 || below < BELOW_TITLES * size) return [];
  const both = [sorted.slice(0, middle), sorted.slice(middle)];
  return both.filter((title) => /\p{L}/u.test(textOf(title))).map((title) => `${placeOf(row)} ${textOf(title)}`);
}

function isLarge(row: readonly Fragment[], page: readonly Fragment[]): boolean {
  const sizes = page
    .flatMap(({ size, text }) => Array<number>(Math.ceil(text.length / 10)).fill(size))
    .sort((a, b) => a - b);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return row.some(({ size }) => size > LARGER * usual);
}

/** The rows at the top and those at the bottom, the outermost first. */
function edgesOf(page: readonly Fragment[]): [Fragment[][], Fragment[][]] {
  const rows = rowsOf(page);
  const count = Math.min(OUTER_ROWS, Math.floor(rows.length / 2));
  return [rows.slice(0, count), rows.slice(rows.length - count).reverse()];
}

function lengthWhile<T>(items: readonly T[], holds: (item: T, at: number) => boolean): number {
  const end = items.findIndex((item, at) => !holds(item, at));
  return end === -1 ? items.length : end;
}

/** The place and the text of a row. All numbers are equal in it. */
function textKey(row: readonly Fragment[]): string {
  return `${placeOf(row)} ${textOf(row).replace(/\d+/g, "#")}`;
}

function placeOf(row: readonly Fragment[]): number {
  return Math.round((row[0]?.y ?? 0) / PLACE_HEIGHT);
}

function textOf(row: readonly Fragment[]): string {
  return [...row]
    .sort((left, right) => left.x - right.x)
    .map((fragment) => fragment.text)
    .join(" ");
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
