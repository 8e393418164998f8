// Text that others wrote, before it is put into any page: on one line, and with nothing in it that turns a page around.

/** A whole code span of Markdown. */
const CODE = /((?<!`)`[^`]+`(?!`))/;

/** Embeddings, overrides and isolates: one that is left open would reorder what stands behind it. Marks stay. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

export function oneLine(text: string): string {
  return text
    .replace(TURNS, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Words, or a code span with its backticks. */
export interface Piece {
  text: string;
  isCode: boolean;
}

export function piecesOf(text: string): Piece[] {
  return oneLine(text)
    .split(CODE)
    .filter((piece) => piece !== "")
    .map((piece) => ({ text: piece, isCode: CODE.test(piece) }));
}

/** At most `length` characters, with dots where something was left out. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 3)
        .join("")
        .trimEnd()}...`;
}
