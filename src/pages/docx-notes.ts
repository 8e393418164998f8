// Writes the marks of the Word document: links to the quotes of a claim, and a footnote that shows what a conclusion follows from.
import { FootnoteReferenceRun, InternalHyperlink, Paragraph, TextRun, type ParagraphChild } from "docx";
import type { Quoting, Report } from "../run/report/report.ts";
import { codeRun, plainRun, richRuns } from "./docx-text.ts";
import {
  gapsBehind,
  marksBehind,
  marksOf,
  placeOfGap,
  placeText,
  premisesOf,
  sidesOf,
  type DerivedClaim,
  type Mark,
} from "./report-view.ts";
import { AGAINST, FOLLOWS, OURS } from "./report-words.ts";

/** What is collected while the paragraphs of a document are made. */
export interface Writing {
  report: Report;
  /** Footnotes by their numbers, from 1. */
  footnotes: Record<string, { children: Paragraph[] }>;
  /** The last number of each instance of ordered lists. */
  instances: number[];
}

/** `[2c]` for each quote of a statement, linked to it. A conclusion has its sign and a footnote in front. */
export function markRuns(resting: Quoting, { report, footnotes }: Writing): ParagraphChild[] {
  const linked = (marks: readonly Mark[]): ParagraphChild[] => marks.map(quoteLink);
  const gaps = gapsBehind(resting, report).map(gapLink);
  const links = [...linked(marksBehind(resting, report)), ...gaps];
  const sides = sidesOf(resting, report);
  if (sides !== null) return [...linked(sides[0]), plainRun(` ${AGAINST} `), ...linked(sides[1]), ...gaps];
  if (resting.basis === "suggested") return [plainRun(` (${OURS}, from `), ...links, plainRun(")")];
  if (resting.basis !== "derived") return links;
  const number = Object.keys(footnotes).length + 1;
  footnotes[number] = { children: [conclusion(resting, report)] };
  return [new TextRun({ text: FOLLOWS, superScript: true }), new FootnoteReferenceRun(number), ...links];
}

function conclusion(claim: DerivedClaim, report: Report): Paragraph {
  const { expression } = claim;
  const computed = expression === undefined ? [] : [plainRun(" Computed as "), codeRun(expression), plainRun(".")];
  const linked = (marks: readonly Mark[]): ParagraphChild[] =>
    marks.flatMap((mark) => [plainRun(" "), quoteLink(mark)]);
  const from = premisesOf(claim, report).flatMap(({ text, marks, gaps }) => [
    plainRun(" "),
    ...richRuns(`“${text}”`),
    ...linked(marks),
    ...gaps.flatMap((id) => [plainRun(" "), gapLink(id)]),
  ]);
  const own = linked(marksOf(claim.quotes, report));
  const rest = from.length > 0 ? [plainRun(" It follows from:"), ...from, ...own] : own;
  return note([plainRun("Our conclusion."), ...rest, ...computed]);
}

/** One paragraph of a footnote. It begins with a space, since the library puts the number of the note right in front. */
function note(children: readonly ParagraphChild[]): Paragraph {
  return new Paragraph({ style: "FootnoteText", children: [plainRun(" "), ...children] });
}

/** `[3b] Title, Heading > Path, p. 12` */
export function placeRuns(mark: Mark): ParagraphChild[] {
  return [quoteLink(mark), plainRun(" "), ...richRuns(placeText(mark))];
}

function quoteLink({ name }: Mark): InternalHyperlink {
  return new InternalHyperlink({ anchor: bookmarkOf(name), children: [plainRun(`[${name}]`)] });
}

function gapLink(id: string): InternalHyperlink {
  return new InternalHyperlink({ anchor: placeOfGap(id), children: [plainRun(`[${id}]`)] });
}

/** `name`: of a mark. */
export function bookmarkOf(name: string): string {
  return `quote_${name}`;
}
