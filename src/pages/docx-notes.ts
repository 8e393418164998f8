// The footnotes of the Word document: behind each claim its quotes with their places, or what it follows from.
import { FootnoteReferenceRun, InternalHyperlink, Paragraph, TextRun, type ParagraphChild } from "docx";
import { shownLine } from "../kernel/shown-text.ts";
import type { Claim, Report } from "../run/report.ts";
import type { Quote } from "../run/source.ts";
import { codeRun, plainRun, richRuns } from "./docx-text.ts";
import { partsOfQuote } from "./excerpt-parts.ts";
import type { Run } from "./excerpt-lines.ts";
import { numbersBehind, placesOf, placeText, premisesOf, type DerivedClaim, type Place } from "./report-view.ts";
import { FOLLOWS } from "./report-words.ts";
import { cut } from "./text-pieces.ts";

/** Whole in report.json and in the HTML page. */
const MAX_QUOTE_LENGTH = 600;

/** The state of the document while its paragraphs are made. */
export interface Writing {
  report: Report;
  /** Footnotes by their numbers, from 1. */
  footnotes: Record<string, { children: Paragraph[] }>;
  /** How far each instance of ordered lists has counted. */
  instances: number[];
}

/** A small number that leads to the foot of the page, behind a sign of its own where the claim is a conclusion. */
export function markRuns(claim: Claim, { report, footnotes }: Writing): TextRun[] {
  const isConclusion = claim.basis === "derived";
  const children = [...(isConclusion ? [conclusion(claim, report)] : []), ...quoteNotes(claim.quotes, report)];
  const sign = isConclusion ? [new TextRun({ text: FOLLOWS, superScript: true })] : [];
  if (children.length === 0) return sign;
  const number = Object.keys(footnotes).length + 1;
  footnotes[number] = { children };
  return [...sign, new FootnoteReferenceRun(number)];
}

function quoteNotes(quotes: readonly Quote[], report: Report): Paragraph[] {
  return quotes.flatMap((quote) =>
    placesOf([quote], report).map((place) => {
      const words = cut(quoteOnOneLine(quote, place.source.origin), MAX_QUOTE_LENGTH);
      return note([...placeRuns(place), ...richRuns(`: “${words}”`)]);
    }),
  );
}

function conclusion(claim: DerivedClaim, report: Report): Paragraph {
  const { expression } = claim;
  const computed = expression === undefined ? [] : [plainRun(" Computed as "), codeRun(expression), plainRun(".")];
  const linked = (numbers: readonly number[]): ParagraphChild[] =>
    numbers.flatMap((number) => [plainRun(" "), sourceLink(number)]);
  const from = premisesOf(claim, report).flatMap(({ text, numbers }) => [
    plainRun(" "),
    ...richRuns(`“${text}”`),
    ...linked(numbers),
  ]);
  const rest = from.length > 0 ? [plainRun(" It follows from:"), ...from] : linked(numbersBehind(claim, report));
  return note([plainRun("Our conclusion."), ...rest, ...computed]);
}

/** The library puts the number of the note in front of its first paragraph. */
function note(children: readonly ParagraphChild[]): Paragraph {
  return new Paragraph({ style: "FootnoteText", children: [plainRun(" "), ...children] });
}

/** The quote in one line, without the signs that draw tables and code in its file. */
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
export function placeRuns(place: Place): ParagraphChild[] {
  return [sourceLink(place.source.number), plainRun(" "), ...richRuns(placeText(place))];
}

function sourceLink(number: number): InternalHyperlink {
  return new InternalHyperlink({ anchor: bookmarkOf(number), children: [plainRun(`[${number}]`)] });
}

export function bookmarkOf(number: number): string {
  return `source_${number}`;
}
