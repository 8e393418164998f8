// The cards of the HTML report, which open at a click on a mark and need no script. A card shows a quote, what rests on it and
// how to check it by hand, or what a conclusion follows from.
import { hexOf } from "../kernel/digest.ts";
import type { Claim, Quoting, Report } from "../run/report/report.ts";
import { isClaim, quotingOf } from "../run/report/statements.ts";
import { spanKey, type Quote } from "../run/report/source.ts";
import { judgedText } from "./judged-text.ts";
import { quoteInParagraph, type SourceTexts } from "./html-quote.ts";
import { bdi, escaped, foreign, richText } from "./html-text.ts";
import {
  doubtOf,
  gapsBehind,
  marksBehind,
  marksOf,
  placeOf,
  placeOfGap,
  premisesOf,
  sidesOf,
  type DerivedClaim,
  type Mark,
} from "./report-view.ts";
import { AGAINST, FOLLOWS, OURS } from "./report-words.ts";

/** The number of each conclusion in reading order, by the id of its statement. The ids of cards hold it. */
export type ConclusionNumbers = ReadonlyMap<string, number>;

export function conclusionNumbers(report: Report): ConclusionNumbers {
  const conclusions = statementsWithMarks(report).filter(({ basis }) => basis === "derived");
  return new Map(conclusions.map(({ statement_id }, at) => [statement_id, at + 1]));
}

/** Excerpts have no card, since their places are below them. */
function statementsWithMarks({ blocks, statements }: Report): Quoting[] {
  return quotingOf({ blocks: blocks.filter(({ kind }) => kind !== "excerpt"), statements });
}

/** A button for each quote of a statement, and one for what a conclusion follows from. Each opens a card. */
export function marksHtml(resting: Quoting | null, report: Report, conclusions: ConclusionNumbers): string {
  if (resting === null) return "";
  const about = aboutStatement(resting.statement_id);
  const buttons = (marks: readonly Mark[]): string =>
    marks
      .map(({ name, quote: { source_digest, start, end } }) =>
        markButton(
          `quote-${name}`,
          name,
          `Quote ${name}`,
          `${about} data-quote="${hexOf(source_digest)} ${start} ${end}"`,
        ),
      )
      .join("");
  const sides = sidesOf(resting, report);
  const gaps = gapLinks(gapsBehind(resting, report));
  if (sides !== null) return `${sides.map(buttons).join(`<span class="ours">${AGAINST}</span>`)}${gaps}`;
  const quotes = `${buttons(marksBehind(resting, report))}${gaps}`;
  if (resting.basis === "suggested") return ` <span class="ours">${OURS}, from</span>${quotes}`;
  if (resting.basis !== "derived") return quotes;
  const number = conclusions.get(resting.statement_id);
  return `${markButton(`conclusion-${number}`, FOLLOWS, "What it follows from", about)}${quotes}`;
}

/** The attributes `about` name the statement and the quote, for the console, which can show more than the card. */
function markButton(card: string, text: string, label: string, about = ""): string {
  return `<button type="button" class="mark" popovertarget="${card}" title="${label}"${about}>${text}</button>`;
}

/** A link for each gap to its line under what was not found. */
function gapLinks(ids: readonly string[]): string {
  return ids.map((id) => `<a class="mark" href="#${placeOfGap(id)}">${escaped(id)}</a>`).join("");
}

export function aboutStatement(statementId: string): string {
  return ` data-statement="${Bun.escapeHTML(statementId)}"`;
}

/** All cards of the page: one for each quote that a mark names, and one for each conclusion. */
export function cardsOf(report: Report, conclusions: ConclusionNumbers, texts: SourceTexts): string[] {
  const resting = statementsWithMarks(report);
  const marks = new Map(resting.flatMap((one) => marksBehind(one, report).map((mark) => [mark.name, mark])));
  const quotes = [...marks].map(([name, mark]) => {
    const own = resting.filter((one) => one.quotes.some((quote) => spanKey(quote) === spanKey(mark.quote)));
    return card(`quote-${name}`, [...quoteContent(mark, texts), checkedHtml(own.filter(isClaim))]);
  });
  const derived = resting.flatMap((one) =>
    one.basis !== "derived"
      ? []
      : [card(`conclusion-${conclusions.get(one.statement_id)}`, conclusionContent(one, report))],
  );
  return [...quotes, ...derived];
}

function card(id: string, content: readonly string[]): string {
  return `<div popover class="card" id="${id}" tabindex="0">\n${content.filter((one) => one !== "").join("\n")}\n</div>`;
}

function quoteContent(mark: Mark, texts: SourceTexts): string[] {
  const { quote, source } = mark;
  const place = `<p class="place">${placeHtml(mark)}</p>`;
  return [place, quoteInParagraph(quote, source.origin, texts), byHand(quote)];
}

function conclusionContent(claim: DerivedClaim, report: Report): string[] {
  const buttons = (marks: readonly Mark[]): string =>
    marks.map(({ name }) => markButton(`quote-${name}`, name, `Quote ${name}`)).join("");
  const from = premisesOf(claim, report).map(
    ({ text, marks, gaps }) =>
      `<li><span${foreign(text)}>${richText(text)}</span> ${buttons(marks)}${gapLinks(gaps)}</li>`,
  );
  const own = buttons(marksOf(claim.quotes, report));
  return [
    `<p class="place">Our conclusion</p>`,
    from.length === 0 ? "" : `<p>It follows from:</p>\n<ul>\n${from.join("\n")}\n</ul>`,
    own === "" ? "" : `<p>${from.length === 0 ? "It follows from" : "And from"} ${own}</p>`,
    claim.expression === undefined ? "" : `<p>Computed as <code>${escaped(claim.expression)}</code></p>`,
    checkedHtml([claim]),
  ];
}

/** The verdicts on the claims that rest on a quote. */
function checkedHtml(claims: readonly Claim[]): string {
  const lines = claims.map((claim) => {
    const words = `${bdi(doubtOf(claim) ?? "supported")}, ${judgedText(claim.method, bdi)}.`;
    return claims.length === 1 ? words : `<span${foreign(claim.text)}>${richText(claim.text)}</span> ${words}`;
  });
  return lines.map((line) => `<p class="small">Checked: ${line}</p>`).join("\n");
}

/** `[3b] Title, Heading > Path, p. 12` */
export function placeHtml({ name, source, quote }: Mark): string {
  const place = placeOf(quote, source);
  const where = place === "" ? "" : `, ${bdi(place)}`;
  return `<a href="#source-${source.number}">[${name}]</a> <bdi class="title">${richText(source.title)}</bdi>${where}`;
}

/** The command that prints the bytes of a quote, for a reader in the folder of the run. */
export function byHand({ source_digest, start, end }: Quote): string {
  const command = `tail -c +${start + 1} sources/${hexOf(source_digest)}.txt | head -c ${end - start}`;
  return `<details class="by-hand"><summary>Check by hand</summary>
<p>In the folder of the run this prints the bytes ${start} to ${end} of the source's text:</p>
<pre><code>${command}</code></pre>
</details>`;
}
