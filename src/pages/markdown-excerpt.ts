// The parts of a quote as lines of Markdown, with its marked words in bold.
import type { ExcerptPart } from "./excerpt-parts.ts";
import type { Run } from "./excerpt-lines.ts";
import { codeBlock, plainCell, plainText, tableLines } from "./plain-markdown.ts";

export function partLines(part: ExcerptPart): string[] {
  switch (part.kind) {
    case "lines":
      return part.lines.map((line, at) => `${lineText(line)}${at < part.lines.length - 1 ? "\\" : ""}`);
    case "table":
      return tableLines(part.rows.map((row) => row.map((cell) => lineText(cell, plainCell))));
    case "code":
      return codeBlock(part.lines.map((line) => line.map(({ text }) => text).join("")).join("\n"));
  }
}

/** Below a line with words it would make a table of them. */
const RULE = /^[\s|:-]+$/;
/** Stars that touch a sign on both sides may stay stars. */
const HAIR_SPACE = "\u200a";
const MAX_GAP = 12;

/** Indented as in the source, marked words in bold. */
function lineText(line: readonly Run[], plain = plainText): string {
  const whole = line.map(({ text }) => text).join("");
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

/** Blanks that set columns apart stay. */
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
