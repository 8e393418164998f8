// The footnotes of the Word document: behind each claim its quotes with their places, or what it follows from.
import { FootnoteReferenceRun, InternalHyperlink, Paragraph, TextRun, type ParagraphChild } from "docx";
import { shownLine } from "../kernel/shown-text.ts";
import { isClaim, type Claim, type Report } from "../run/report.ts";
import type { Quote } from "../run/source.ts";
import { codeRun, plainRun, richRuns } from "./docx-text.ts";
import { partsOfQuote, type Run } from "./excerpt-parts.ts";
import { fullPlaceOf, numbersBehind, sourceOf, statementsIn } from "./report-view.ts";
import { FOLLOWS } from "./report-words.ts";
import { cut } from "./text-pieces.ts";

/** Whole in report.json and in the HTML page. */
const MAX_QUOTE_LENGTH = 600;

/** What is written once for the whole document while its paragraphs are made. */
export interface Writing {
  report: Report;
  /** By their numbers, from 1. */
  footnotes: Record<string, { children: Paragraph[] }>;
  /** Ordered lists so far. */
  lists: number;
}

/** A small number that leads to the foot of the page, behind a sign of its own where the claim is a conclusion. */
export function markRuns(claim: Claim, writing: Writing): TextRun[] {
  const { report, footnotes } = writing;
  const children = claim.basis === "derived" ? conclusionLines(claim, report) : quoteLines(claim.quotes, report);
  const sign = claim.basis === "derived" ? [new TextRun({ text: FOLLOWS, superScript: true })] : [];
  if (children.length === 0) return sign;
  const number = Object.keys(footnotes).length + 1;
  footnotes[number] = { children };
  return [...sign, new FootnoteReferenceRun(number)];
}

function quoteLines(quotes: readonly Quote[], report: Report): Paragraph[] {
  return quotes.flatMap((quote) => {
    const source = sourceOf(quote, report);
    if (source === undefined) return [];
    const words = cut(quoteOnOneLine(quote, source.origin), MAX_QUOTE_LENGTH);
    return [noteParagraph([...placeRuns(quote, report), ...richRuns(`: “${words}”`)])];
  });
}

function conclusionLines(claim: Extract<Claim, { basis: "derived" }>, report: Report): Paragraph[] {
  const computed =
    claim.expression === undefined ? [] : [plainRun(" Computed as "), codeRun(claim.expression), plainRun(".")];
  const numbers = numbersBehind(claim, report).flatMap((number) => [plainRun(" "), sourceLink(number)]);
  const from = statementsIn(claim.from, report).flatMap((one) => {
    const behind = isClaim(one) ? numbersBehind(one, report) : [];
    return [
      plainRun(" "),
      ...richRuns(`“${one.text}”`),
      ...behind.flatMap((number) => [plainRun(" "), sourceLink(number)]),
    ];
  });
  const rest = from.length > 0 ? [plainRun(" It follows from:"), ...from] : numbers;
  return [noteParagraph([plainRun("Our conclusion."), ...rest, ...computed]), ...quoteLines(claim.quotes, report)];
}

/** The library puts the number of the note in front of its first paragraph. */
function noteParagraph(children: readonly ParagraphChild[]): Paragraph {
  return new Paragraph({ style: "FootnoteText", children: [plainRun(" "), ...children] });
}

/** Without what draws tables and code in its file. */
function quoteOnOneLine(quote: Quote, origin: string): string {
  const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");
  const parts = partsOfQuote(quote, [], origin).map((part) =>
    part.kind === "table"
      ? part.rows.map((row) => row.map(textOf).join(" | ")).join("; ")
      : part.lines.map(textOf).join("\n"),
  );
  return shownLine(parts.join("\n"));
}

/** `[3] Title, Heading > Path, p. 12` */
export function placeRuns(quote: Quote, report: Report): ParagraphChild[] {
  const source = sourceOf(quote, report);
  if (source === undefined) return [];
  const place = [source.title, fullPlaceOf(quote, source)].filter((one) => one !== "").join(", ");
  return [sourceLink(source.number), plainRun(" "), ...richRuns(place)];
}

function sourceLink(number: number): InternalHyperlink {
  return new InternalHyperlink({ anchor: bookmarkOf(number), children: [plainRun(`[${number}]`)] });
}

export function bookmarkOf(number: number): string {
  return `source_${number}`;
}
