// Escapes text from outside for Markdown, so that a reader sees it as it was written.
import { shownLine, shownText } from "../kernel/shown-text.ts";
import { piecesOf, type Piece } from "./text-pieces.ts";

/** Text on one line that makes no markup. Code stays code, and a mail address may still become a link. */
export function plainText(text: string): string {
  return joined(text, (piece) => piece.isCode);
}

/** As `plainText`, for a cell of a table. A bar would end the cell. Programs differ about bars in code, so such code is text. */
export function plainCell(text: string): string {
  return joined(text, (piece) => piece.isCode && !piece.text.includes("|")).replaceAll("|", "\\|");
}

function joined(text: string, staysCode: (piece: Piece) => boolean): string {
  return piecesOf(text)
    .map((piece) => (staysCode(piece) ? piece.text : escaped(piece.text)))
    .join("")
    .replace(/^[-+>=]/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
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
      .replace(/\b(www)\./gi, "$1\\.")
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
export function codeBlock(text: string): string[] {
  const code = shownText(text);
  const fence = "`".repeat(Math.max(3, longestFence(code) + 1));
  return [fence, ...code.split("\n"), fence];
}

function longestFence(code: string): number {
  return Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
}
