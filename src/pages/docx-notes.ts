// Writes the footnotes of the Word document. A footnote shows the quotes of a claim with their places, or what it follows from.
import { FootnoteReferenceRun, InternalHyperlink, Paragraph, TextRun, type ParagraphChild } from "docx";
import { shownLine } from "../kernel/shown-text.ts";
import type { Claim, Report } from "../run/report/report.ts";
import type { Quote } from "../run/report/source.ts";
import { codeRun, plainRun, richRuns } from "./docx-text.ts";
import { partsOfQuote } from "./excerpt-parts.ts";
import { textOf } from "./excerpt-lines.ts";
import { numbersBehind, placesOf, placeText, premisesOf, type DerivedClaim, type Place } from "./report-view.ts";
import { FOLLOWS } from "./report-words.ts";
import { cut } from "./text-pieces.ts";

/** Longer quotes are cut. They are complete in report.json and in the HTML page. */
const MAX_QUOTE_LENGTH = 600;

/** What is collected while the paragraphs of a document are made. */
export interface Writing {
  report: Report;
  /** Footnotes by their numbers, from 1. */
  footnotes: Record<string, { children: Paragraph[] }>;
  /** The last number of each instance of ordered lists. */
  instances: number[];
}

/** The number of the footnote of a claim. A conclusion has its sign in front of it. */
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

/** One paragraph of a footnote. It begins with a space, since the library puts the number of the note right in front. */
function note(children: readonly ParagraphChild[]): Paragraph {
  return new Paragraph({ style: "FootnoteText", children: [plainRun(" "), ...children] });
}

/** The quote on one line, without the markup of its file. */
function quoteOnOneLine(quote: Quote, origin: string): string {
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
