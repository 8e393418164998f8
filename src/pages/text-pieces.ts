// Cuts text from outside into words and code spans, before it is written into a page.
import { shownLine } from "../kernel/shown-text.ts";

/** A code span of Markdown. One with a blank on each side is left alone, because it would lose both. */
const CODE = /((?<!`)`(?! [^`]* `)[^`]+`(?!`))/;

/** Words, or a code span. `text` keeps the backticks. */
export interface Piece {
  text: string;
  isCode: boolean;
}

/** The pieces of a text that is put on one line. */
export function piecesOf(text: string): Piece[] {
  return piecesIn(shownLine(text));
}

/** The pieces of a line that keeps its blanks. */
export function piecesIn(line: string): Piece[] {
  return line
    .split(CODE)
    .filter((piece) => piece !== "")
    .map((piece) => ({ text: piece, isCode: CODE.test(piece) }));
}

/** At most `length` characters. Three dots mark what was left out. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 3)
        .join("")
        .trimEnd()}...`;
}
