// Text that others wrote, in a Word document: on one line or with its own blanks, code as code, in its own direction.
import { Paragraph, TextRun, type IParagraphOptions, type IRunOptions } from "docx";
import { shownText } from "../kernel/shown-text.ts";
import { CHARACTER } from "./docx-style.ts";
import { piecesOf, type Piece } from "./text-pieces.ts";

type Look = Omit<IRunOptions, "text" | "children">;

/** A paragraph of one line. */
export function richParagraph(text: string, options: IParagraphOptions): Paragraph {
  return new Paragraph({ ...options, ...directionOf(text), children: richRuns(text) });
}

/** One line in which code of Markdown stays code. */
export function richRuns(text: string, look: Look = {}): TextRun[] {
  return runsOf(piecesOf(text), look);
}

/** Words of ours, or words in which nothing is code. */
export function plainRun(text: string, look: Look = {}): TextRun {
  return runOf(shownText(text), look);
}

export function codeRun(text: string, look: Look = {}): TextRun {
  return new TextRun({ ...look, text: inXml(shownText(text)), style: CHARACTER.code, noProof: true });
}

/** Code among the pieces stays code. */
export function runsOf(pieces: readonly Piece[], look: Look): TextRun[] {
  return pieces.map(({ text, isCode }) => (isCode ? codeRun(text.slice(1, -1), look) : runOf(text, look)));
}

function runOf(text: string, look: Look): TextRun {
  return new TextRun({ ...look, text: inXml(text), ...(isRightToLeft(text) ? { rightToLeft: true } : {}) });
}

/** Halves of pairs and the two last signs of a plane have no place in XML. */
function inXml(text: string): string {
  return text.toWellFormed().replace(/[\ufffe\uffff]/g, "\ufffd");
}

/** The direction of a paragraph. */
export function directionOf(text: string): { bidirectional?: true } {
  return isRightToLeft(text) ? { bidirectional: true } : {};
}

/** The first letter decides, as with `dir="auto"` in HTML. */
function isRightToLeft(text: string): boolean {
  const [first = ""] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}
