// Text that others wrote, in HTML: escaped, in its own direction, and with what is certain of its language.
import { shownLine, shownText } from "../kernel/shown-text.ts";
import { piecesIn, piecesOf, type Piece } from "./text-pieces.ts";

/** One line of plain text. */
export function escaped(text: string): string {
  return Bun.escapeHTML(shownLine(text));
}

/** Plain text with its own line breaks and blanks. */
export function escapedLines(text: string): string {
  return Bun.escapeHTML(shownText(text));
}

/** One line of text in which code of Markdown stays code. */
export function richText(text: string): string {
  return htmlOf(piecesOf(text));
}

/** A line in which all blanks stay, and code of Markdown stays code. */
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

/** Words with marks behind them, so that no line breaks before the marks. */
export function withMarks(text: string, marks: string): string {
  const [, head, last] = LAST_WORD.exec(shownLine(text)) ?? [];
  if (marks === "" || head === undefined || last === undefined || !isWhole(head) || !isWhole(last))
    return `${richText(text)}${marks}`;
  return `${richText(head)}${/\s$/.test(head) ? " " : ""}<span class="keep">${richText(last)}${marks}</span>`;
}

/** True where no code begins in the text and ends behind it. */
function isWhole(text: string): boolean {
  return text.split("`").length % 2 === 1;
}

/** The attributes of an element whose text others wrote. */
export function foreign(text: string): string {
  const language = languageOf(text);
  return ` dir="auto"${language === null ? "" : ` lang="${language}"`}`;
}

/** A piece inside a line of ours that neither turns it around nor is turned. */
export function bdi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

/** Scripts that one language alone writes; it chooses the shapes of Chinese characters, too. */
function languageOf(text: string): string | null {
  if (/[\u3041-\u30ff]/.test(text)) return "ja";
  return /[\uac00-\ud7a3]/.test(text) ? "ko" : null;
}
