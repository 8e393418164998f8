// Writes text from outside into a Word document: its code spans as code, and each run in the direction of its script.
import { Paragraph, TextRun, type IParagraphOptions, type IRunOptions } from "docx";
import { shownText } from "../kernel/shown-text.ts";
import { CHARACTER } from "./docx-style.ts";
import { piecesOf, type Piece } from "./text-pieces.ts";

type TextStyle = Omit<IRunOptions, "text" | "children">;

/** A paragraph of one line. */
export function richParagraph(text: string, options: IParagraphOptions): Paragraph {
  return new Paragraph({ ...options, ...directionOf(text), children: richRuns(text) });
}

/** Runs of one line. Code spans of Markdown become code. */
export function richRuns(text: string, style: TextStyle = {}): TextRun[] {
  return runsOf(piecesOf(text), style);
}

/** Text in which nothing is code. Its line breaks and blanks stay. */
export function plainRun(text: string, style: TextStyle = {}): TextRun {
  return runOf(shownText(text), style);
}

export function codeRun(text: string, style: TextStyle = {}): TextRun {
  return new TextRun({ ...style, text: inXml(shownText(text)), style: CHARACTER.code, noProof: true });
}

export function runsOf(pieces: readonly Piece[], style: TextStyle): TextRun[] {
  return pieces.map(({ text, isCode }) => (isCode ? codeRun(text.slice(1, -1), style) : runOf(text, style)));
}

function runOf(text: string, style: TextStyle): TextRun {
  return new TextRun({ ...style, text: inXml(text), ...(isRightToLeft(text) ? { rightToLeft: true } : {}) });
}

/** Replaces what XML may not hold: lone surrogates, and the characters U+FFFE and U+FFFF. */
export function inXml(text: string): string {
  return text.toWellFormed().replace(/[\ufffe\uffff]/g, "\ufffd");
}

export function directionOf(text: string): { bidirectional?: true } {
  return isRightToLeft(text) ? { bidirectional: true } : {};
}

/** Decided by the first letter, as `dir="auto"` does in HTML. */
function isRightToLeft(text: string): boolean {
  const [first = ""] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}
