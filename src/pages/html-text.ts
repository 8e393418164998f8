// Writes text from outside as HTML: escaped, in its own direction, and with its language where the script determines it.
import { shownLine, shownText } from "../kernel/shown-text.ts";
import { piecesIn, piecesOf, type Piece } from "./text-pieces.ts";

/** Plain text on one line. */
export function escaped(text: string): string {
  return Bun.escapeHTML(shownLine(text));
}

/** Plain text with its own line breaks and blanks. */
export function escapedLines(text: string): string {
  return Bun.escapeHTML(shownText(text));
}

/** Text on one line. Code spans of Markdown become `code` elements. */
export function richText(text: string): string {
  return htmlOf(piecesOf(text));
}

/** As `richText`, with all blanks of the line. */
export function richLine(text: string): string {
  return htmlOf(piecesIn(shownText(text)));
}

function htmlOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      piece.isCode ? `<code>${Bun.escapeHTML(piece.text.slice(1, -1))}</code>` : Bun.escapeHTML(piece.text),
    )
    .join("");
}

const LAST_WORD = /^(|.*\s)(\S{1,30})$/s;

/** Text with marks behind it. No line breaks between the last word and its marks. */
export function withMarks(text: string, marks: string): string {
  const [, head, last] = LAST_WORD.exec(shownLine(text)) ?? [];
  if (marks === "" || head === undefined || last === undefined || !isWhole(head) || !isWhole(last))
    return `${richText(text)}${marks}`;
  return `${richText(head)}${/\s$/.test(head) ? " " : ""}<span class="keep">${richText(last)}${marks}</span>`;
}

/** True when no code span begins in the text and ends behind it. */
function isWhole(text: string): boolean {
  return text.split("`").length % 2 === 1;
}

/** The attributes of an element with text from outside: its direction, and its language if that is known. */
export function foreign(text: string): string {
  const language = languageOf(text);
  return ` dir="auto"${language === null ? "" : ` lang="${language}"`}`;
}

/** The attribute of an element with code. */
export function languageClass(language: string | undefined): string {
  return language === undefined ? "" : ` class="language-${Bun.escapeHTML(language)}"`;
}

/** Text from outside within a line of ours. Neither changes the direction of the other. */
export function bdi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

/** Known for the scripts of Japanese and Korean alone. A browser also chooses the shapes of Chinese characters by it. */
function languageOf(text: string): string | null {
  if (/[\u3041-\u30ff]/.test(text)) return "ja";
  return /[\uac00-\ud7a3]/.test(text) ? "ko" : null;
}
