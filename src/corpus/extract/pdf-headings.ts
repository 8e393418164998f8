// Finds headings by the bookmarks of the document, the size of their letters and their font.
import type { Line } from "./pdf-lines.ts";

export interface HeadingRules {
  /** The size of most letters. */
  bodySize: number;
  /** 2 to 6 for a heading, else 0. */
  levelOf(line: Line, around: Surroundings): number;
  isCode(line: Line): boolean;
  titleOf(firstPage: readonly Line[]): string;
}

export interface Bookmark {
  title: string;
  /** From 0. */
  depth: number;
}

export interface Surroundings {
  before: Line | undefined;
  after: Line | undefined;
  pitch: number;
  right: number;
}

const HIGHEST_LEVEL = 2;
const LOWEST_LEVEL = 6;
const LARGER = 1.13;
const TITLE_WITHIN = 1 / 3;
/** In pitches of the column. */
const SPACE_ABOVE = 1.25;
const CAPTION = /^(fig|tab|abb|plate|scheme|図|表)[a-z]*\.?\s*\d/i;
const MAX_HEADING_LENGTH = 160;
const MAX_TITLE_LENGTH = 250;
const MAX_PLAIN_HEADING_LENGTH = 80;
/** A bookmark with the number of its section is a heading in any font. */
const NUMBERED = /^\d+(?:\.\d+)+\.?\s/;
/** With a larger share of the letters, the fixed-width font is the font of the text. */
const MAX_CODE_SHARE = 0.5;
const MAX_SIZES = 4;

/** `outline` is in reading order. Lines have to be passed in theirs, too: of bookmarks of one name the next one counts. */
export function headingLevels(lines: readonly Line[], outline: readonly Bookmark[]): HeadingRules {
  const bodySize = mostOf(
    lines.map((line) => [line.size, line.text.length]),
    0,
  );
  const bodyFont = mostOf(
    lines.filter((line) => line.size === bodySize).map((line) => [line.font, line.text.length]),
    "",
  );
  const letters = lines.reduce((sum, line) => sum + line.text.length, 0);
  const monoLetters = lines.reduce((sum, line) => sum + (line.isMono ? line.text.length : 0), 0);
  const hasCode = monoLetters < MAX_CODE_SHARE * letters;
  const places = outline.map((bookmark, place) => ({ ...bookmark, place }));
  const bookmarks = Map.groupBy(places, ({ title }) => keyOf(title));
  let next = 0;
  const sizes = [...new Set(lines.filter(isLarge).map((line) => line.size))].sort((left, right) => right - left);

  function isLarge(line: Line): boolean {
    return line.size > LARGER * bodySize && line.text.length <= MAX_HEADING_LENGTH && hasLetters(line.text);
  }
  /** Reference manuals write the subject next to the name: "acf   Estimates of a Function". */
  function bookmarkOf({ text, cells: [name, ...others], isMono }: Line): Placed | undefined {
    const named = (own: string, isIt: (title: string) => boolean): Placed | undefined =>
      nearest(bookmarks.get(keyOf(own))?.filter(({ title }) => isIt(title)) ?? [], next);
    if (hasCode && isMono) return named(text, (title) => title === text);
    const isNamed = name !== undefined && others.length > 0 && others.every((cell) => hasLetters(cell.text));
    const whole = named(text, (title) => isNameIn(text, title));
    return whole ?? (isNamed ? named(name.text, (title) => isNameIn(name.text, title)) : undefined);
  }
  function levelOf(line: Line, around: Surroundings): number {
    const bookmark = bookmarkOf(line);
    const isInParagraph = hasCode && line.isMono && line.size <= bodySize && !hasSpaceAbove(line, around);
    const isApart = (line.font !== bodyFont || line.size > bodySize) && !isInParagraph;
    if (bookmark !== undefined && (isApart || NUMBERED.test(line.text))) {
      next = bookmark.place + 1;
      return Math.min(LOWEST_LEVEL, HIGHEST_LEVEL + bookmark.depth);
    }
    if (isLarge(line)) return HIGHEST_LEVEL + Math.min(sizes.indexOf(line.size), MAX_SIZES - 1);
    const isPlain = line.font !== bodyFont && (!line.isMono || !hasCode);
    return isPlain && line.size >= bodySize && standsAlone(line, around, bodyFont)
      ? Math.min(LOWEST_LEVEL, HIGHEST_LEVEL + sizes.length)
      : 0;
  }
  return {
    bodySize,
    levelOf,
    isCode: (line) => hasCode && line.isMono,
    titleOf: (firstPage) => titleOf(firstPage, bodySize),
  };
}

type Placed = Bookmark & { place: number };

/** The one that comes next, else the nearest: a line that only resembles a heading may have matched before. */
function nearest(bookmarks: readonly Placed[], next: number): Placed | undefined {
  const away = ({ place }: Placed): number => Math.abs(place - next);
  return bookmarks.reduce<Placed | undefined>(
    (best, one) => (best === undefined || away(one) < away(best) ? one : best),
    undefined,
  );
}

/** The last word of a sentence may be a bookmark, and "Warning" is not the function `warning`. */
function isNameIn(text: string, title: string): boolean {
  if (/[.,;]$/.test(text) && !/[.,;]$/.test(title)) return false;
  return /\p{Lu}/u.test(title) || !/\p{Lu}/u.test(text);
}

/** True for a short line in another font, with space above it and text of the document below. */
function standsAlone(line: Line, around: Surroundings, bodyFont: string): boolean {
  const { after, right } = around;
  const { text } = line;
  if (CAPTION.test(text)) return false;
  if (text.length > MAX_PLAIN_HEADING_LENGTH || line.right > right - line.size || line.cells.length > 2) return false;
  if (!/^[\p{Lu}\p{Lo}\d]/u.test(text) || /[.,;:]$/.test(text) || !/\p{L}{3}|[\p{Lo}]{2}/u.test(text)) return false;
  if (!hasSpaceAbove(line, around)) return false;
  return after?.font === bodyFont && /^[\p{Lu}\p{Lo}\d“"(]/u.test(after.text);
}

function hasSpaceAbove(line: Line, { before, pitch }: Surroundings): boolean {
  return before === undefined || line.y - before.y >= SPACE_ABOVE * pitch;
}

/** The largest words of the first page if all of them are in its upper part, else "". */
function titleOf(firstPage: readonly Line[], bodySize: number): string {
  const largest = Math.max(0, ...firstPage.map((line) => line.size));
  const lines = firstPage.filter((line) => line.size === largest);
  const title = lines.map((line) => line.text).join(" ");
  const isTitle =
    largest >= LARGER * bodySize && lines.every((line) => firstPage.indexOf(line) <= TITLE_WITHIN * firstPage.length);
  return isTitle && title.length <= MAX_TITLE_LENGTH && hasLetters(title) ? title : "";
}

function hasLetters(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= 2;
}

/** The letters of a title without the number of its section, which bookmarks may leave out. */
function keyOf(title: string): string {
  return (
    title
      .toLowerCase()
      .replace(/^\s*(?:(?:chapter|kapitel|appendix|anhang)\s+)?(?:[a-z]?\d*\.)*[a-z]?\d*[.:)]?\s+/i, "")
      // Raised digits are left out of lines, as the numbers of notes.
      .replace(/[¹²³⁰⁴-⁹]+|[^\p{L}\p{N}]+/gu, "")
  );
}

/** The value with the most weight; the first of several, or `none`. */
function mostOf<T>(weighed: readonly (readonly [T, number])[], none: T): T {
  const weights = new Map<T, number>();
  for (const [value, weight] of weighed) weights.set(value, (weights.get(value) ?? 0) + weight);
  let most: T = none;
  let best = 0;
  for (const [value, weight] of weights) {
    if (weight <= best) continue;
    best = weight;
    most = value;
  }
  return most;
}
