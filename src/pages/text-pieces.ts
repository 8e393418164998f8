// Text that others wrote, before it is put into any page: on one line, told apart into words and code.
import { shownLine } from "../kernel/shown-text.ts";

/** A whole code span of Markdown. One with a blank on each side would lose both. */
const CODE = /((?<!`)`(?! [^`]* `)[^`]+`(?!`))/;

/** Words, or a code span with its backticks. */
export interface Piece {
  text: string;
  isCode: boolean;
}

export function piecesOf(text: string): Piece[] {
  return piecesIn(shownLine(text));
}

/** The pieces of a line whose blanks are to stay. */
export function piecesIn(line: string): Piece[] {
  return line
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
