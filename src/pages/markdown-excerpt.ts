// Writes the parts of a quote as lines of Markdown, with marked words in bold.
import type { ExcerptPart } from "./excerpt-parts.ts";
import { textOf, type Run } from "./excerpt-lines.ts";
import { codeBlock, plainCell, plainText, tableLines } from "./plain-markdown.ts";

export function partLines(part: ExcerptPart): string[] {
  switch (part.kind) {
    case "lines":
      return part.lines.map((line, at) => `${lineText(line)}${at < part.lines.length - 1 ? "\\" : ""}`);
    case "table":
      return tableLines(part.rows.map((row) => row.map((cell) => lineText(cell, plainCell))));
    case "code":
      return codeBlock(part.lines.map(textOf).join("\n"));
  }
}

/** A line of signs that makes a table of the line above it. */
const RULE = /^[\s|:-]+$/;
/** Put between bold text and a sign that touches it, where Markdown might show stars. */
const HAIR_SPACE = "\u200a";
const MAX_GAP = 12;

/** A line with its indent, and marked words in bold. */
function lineText(line: readonly Run[], plain = plainText): string {
  const whole = textOf(line);
  const [indent = ""] = whole.trimEnd().match(/^\s*/) ?? [];
  const escaped = spaced(RULE.test(whole) ? plainCell : plain);
  const words = line.map(({ text, isMarked }, at) => {
    const isTouched = { before: /\S$/.test(line[at - 1]?.text ?? ""), behind: /^\S/.test(line[at + 1]?.text ?? "") };
    if (isMarked) {
      return `${isTouched.before ? HAIR_SPACE : ""}**${escaped(text)}**${isTouched.behind ? HAIR_SPACE : ""}`;
    }
    if (text.trim() === "") return " ";
    return `${/^\s/.test(text) ? " " : ""}${escaped(text)}${/\s$/.test(text) ? " " : ""}`;
  });
  return `${fixed(indent)}${words.join("").trim()}`;
}

/** Keeps wide blanks, which set columns apart. */
function spaced(plain: typeof plainText): typeof plainText {
  return (text) =>
    text
      .trim()
      .split(/(\t\s*|\s{3,})/)
      .map((piece, at) => (at % 2 === 1 ? fixed(piece) : plain(piece)))
      .join("");
}

function fixed(blanks: string): string {
  return "\u00a0".repeat(Math.min(MAX_GAP, blanks.replaceAll("\t", "    ").length));
}
