// Joins the fragments of a page into lines.
import type { Fragment } from "./pdf-fragments.ts";

export interface Line {
  text: string;
  /** From 0. */
  page: number;
  /** Pieces with wide gaps between them: cells of a table, or a label and its text. */
  cells: Cell[];
  x: number;
  right: number;
  y: number;
  /** Size and font are those of most letters. */
  size: number;
  font: string;
  isMono: boolean;
}

export interface Cell {
  text: string;
  x: number;
  right: number;
}

// In heights of the letters.
const SAME_LINE = 0.45;
const WORD_GAP = 0.14;
const CELL_GAP = 1.5;

/** The fragments of each line, from top to bottom. Raised and lowered fragments belong to the line next to them. */
export function rowsOf(fragments: readonly Fragment[]): Fragment[][] {
  const rows: { y: number; size: number; fragments: Fragment[] }[] = [];
  for (const fragment of [...fragments].sort((left, right) => left.y - right.y || left.x - right.x)) {
    const row = rows.at(-1);
    const size = Math.max(row?.size ?? 0, fragment.size);
    if (row === undefined || fragment.y - row.y > SAME_LINE * size) {
      rows.push({ y: fragment.y, size: fragment.size, fragments: [fragment] });
      continue;
    }
    row.fragments.push(fragment);
    if (fragment.size > row.size) Object.assign(row, { y: fragment.y, size: fragment.size });
  }
  return rows.map((row) => row.fragments);
}

export function lineOf(row: readonly Fragment[], page: number): Line {
  const isRightToLeft = row.filter((fragment) => fragment.isRightToLeft).length > row.length / 2;
  const sorted = [...row].sort((left, right) => (isRightToLeft ? right.x - left.x : left.x - right.x));
  const main = mainOf(sorted);
  const cells: Cell[] = [];
  let before: Fragment | null = null;
  for (const fragment of sorted) {
    const cell = cells.at(-1);
    const gap = before === null ? 0 : isRightToLeft ? before.x - fragment.right : fragment.x - before.right;
    if (before !== null && isNoteMark(before, fragment, main)) continue;
    if (cell === undefined || before === null || gap > CELL_GAP * main.size) {
      cells.push({ text: fragment.text, x: fragment.x, right: fragment.right });
    } else {
      cell.text += (gap > WORD_GAP * main.size ? " " : "") + fragment.text;
      cell.x = Math.min(cell.x, fragment.x);
      cell.right = Math.max(cell.right, fragment.right);
    }
    before = fragment;
  }
  for (const cell of cells) cell.text = withWholeLetters(cell.text);
  return {
    text: withoutNoteMarks(cells.map((cell) => cell.text).join(" ")),
    page,
    cells,
    x: Math.min(...cells.map((cell) => cell.x)),
    right: Math.max(...cells.map((cell) => cell.right)),
    y: main.y,
    size: main.size,
    font: main.font,
    isMono: main.isMono,
  };
}

/** A fragment with the font and size of most letters. */
function mainOf(row: readonly Fragment[]): Fragment {
  const letters = new Map<string, number>();
  let main = row[0] as Fragment;
  let most = 0;
  for (const fragment of row) {
    const key = `${fragment.font} ${fragment.size}`;
    const count = (letters.get(key) ?? 0) + fragment.text.length;
    letters.set(key, count);
    if (count <= most) continue;
    most = count;
    main = fragment;
  }
  return main;
}

/** Removes the raised digits that some fonts have for the numbers of notes. */
function withoutNoteMarks(text: string): string {
  return text
    .replace(/(?<=\p{L}{3}|[.,;:!?)”"’])\s?[¹²³⁰⁴-⁹]{1,3}(?=\s|$)/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** True for the raised number of a note behind a word. After a digit or a short unit it is a power. */
function isNoteMark(before: Fragment, fragment: Fragment, main: Fragment): boolean {
  const isRaised = fragment.size < 0.85 * main.size && fragment.y < main.y - 0.15 * main.size;
  return isRaised && /^[\d,–*∗†‡§¶ ]{1,8}$/.test(fragment.text) && /(\p{L}{3}|[.,;:!?)”"’])$/u.test(before.text);
}

// --- letters ------------------------------------------------------------------------------------------------------

const COMBINING: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030A",
  "˝": "\u030B",
  ˇ: "\u030C",
  "¸": "\u0327",
};
/** A backtick is an accent only inside of a word. */
const ACCENTED = /([´ˆ˜˘˙¨˚˝ˇ¸]|(?<=\p{L})`)([A-Za-zıȷ])/gu;
const DOTLESS: Readonly<Record<string, string>> = { ı: "i", ȷ: "j" };

/** In the Cork encoding of TeX fonts these are control characters, which no text has next to a letter. */
const LIGATURES = ["ff", "fi", "fl", "ffi", "ffl"];
const FIRST_LIGATURE = 0x1b;
const LIGATURE = /(?<=\p{L})[\u001B-\u001F]|[\u001B-\u001F](?=\p{L})/gu;

/** Repairs letters that older programs wrote as accents before their letter, and ligatures by their number in the font. */
export function withWholeLetters(text: string): string {
  return text
    .replace(LIGATURE, (sign) => LIGATURES[sign.charCodeAt(0) - FIRST_LIGATURE] ?? sign)
    .replace(ACCENTED, (pair, accent: string, letter: string) => withAccent(letter, accent) ?? pair);
}

/** Null when no such letter exists: the sign may be one of mathematics. */
function withAccent(letter: string, accent: string): string | null {
  const accented = `${DOTLESS[letter] ?? letter}${COMBINING[accent] ?? ""}`.normalize("NFC");
  return Array.from(accented).length === 1 ? accented : null;
}
