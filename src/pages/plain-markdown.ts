// Puts text that others wrote into Markdown so that it reads as it stands: on one line, with nothing in it alive.
import { shownLine, shownText } from "../kernel/shown-text.ts";
import { piecesOf, type Piece } from "./text-pieces.ts";

/** No emphasis, link, image, tag, entity, heading or list comes of it. Code stays code. */
export function plainText(text: string): string {
  return joined(text, (piece) => piece.isCode);
}

/** The same inside a row of a table. A bar would end the cell, and programs differ about one in code: that is no code. */
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
      // Between letters, as in snake_case, it marks nothing.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/&(?=#?\w+;)/g, "\\&")
      .replace(/(^|\s)#/g, "$1\\#")
      // Bare addresses become links on many pages.
      .replace(/:(?=\/\/)/g, "\\:")
      .replace(/\b(www)\./gi, "$1\\.")
  );
}

/** Rows of cells that are Markdown already; the first is the header, and all are as long as the longest. */
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
