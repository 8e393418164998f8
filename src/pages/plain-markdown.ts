// Escapes text from outside for Markdown, so that a reader sees it as it was written.
import { shownLine, shownText } from "../kernel/shown-text.ts";
import { piecesOf, type Piece } from "./text-pieces.ts";

/**
 * A mail address or a name behind `@`. Renderers make a link or a mention of it, whatever is escaped, so it is shown as code.
 * It begins where such a word begins, so that each character is visited once.
 */
const NAMED_BY_AT = /(?<![\p{L}\p{N}._+@-])((?=[\p{L}\p{N}._+@-]*@[\p{L}\p{N}_-])[\p{L}\p{N}._+@-]*[\p{L}\p{N}_-])/u;

/** Text on one line that makes no markup. Code stays code. */
export function plainText(text: string): string {
  return joined(text, (piece) => piece.isCode);
}

/** As `plainText`, for a cell of a table. A bar would end the cell. Programs differ about bars in code, so such code is text. */
export function plainCell(text: string): string {
  return joined(text, (piece) => piece.isCode && !piece.text.includes("|")).replaceAll("|", "\\|");
}

function joined(text: string, staysCode: (piece: Piece) => boolean): string {
  return piecesOf(text)
    .flatMap((piece) => (staysCode(piece) ? [piece.text] : wordsOf(piece.text)))
    .reduce((before, next) => (before.endsWith("`") && next.startsWith("`") ? `${before} ${next}` : before + next), "")
    .replace(/^[-+>=]/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}

function wordsOf(text: string): string[] {
  return text.split(NAMED_BY_AT).map((words, at) => (at % 2 === 1 ? codeSpan(words) : escaped(words)));
}

function escaped(text: string): string {
  return (
    text
      .replace(/[\\`*[\]<~$]/g, "\\$&")
      // An underscore between letters marks nothing.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/&(?=#?\w+;)/g, "\\&")
      .replace(/(^|\s)#/g, "$1\\#")
      // Bare addresses become links on many pages.
      .replace(/:(?=\/\/)/g, "\\:")
      .replace(/(www)\./gi, "$1\\.")
  );
}

/** The lines of a table. The cells are Markdown already, the first row is the header, and short rows are filled up. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map((row) => row.length));
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? "").join(" | ")} |`;
  const [header = "", ...others] = rows.map(line);
  return [header, line(Array.from({ length: width }, () => "---")), ...others];
}

/** The text as code, whatever backticks are in it. */
export function codeSpan(text: string): string {
  const code = shownLine(text);
  const longest = longestFence(code);
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? fence + code + fence : `${fence} ${code} ${fence}`;
}

/** Code of several lines, whatever backticks are in it. */
export function codeBlock(text: string, language = ""): string[] {
  const code = shownText(text);
  const fence = "`".repeat(Math.max(3, longestFence(code) + 1));
  return [`${fence}${language}`, ...code.split("\n"), fence];
}

function longestFence(code: string): number {
  return Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
}
