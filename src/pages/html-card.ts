// The cards of the HTML report, which open at a click on a mark and need no script. A card shows the quotes of a statement, or
// what the statement follows from, and how to check them by hand.
import { hexOf } from "../kernel/digest.ts";
import { claimsOf, type Claim, type Report } from "../run/report/report.ts";
import type { Quote } from "../run/report/source.ts";
import { judgedText } from "./judged-text.ts";
import { quoteInParagraph, type SourceTexts } from "./html-quote.ts";
import { bdi, escaped, foreign, richText } from "./html-text.ts";
import {
  doubtOf,
  fullPlaceOf,
  marksOf,
  numbersBehind,
  premisesOf,
  type DerivedClaim,
  type Mark,
  type Place,
} from "./report-view.ts";
import { FOLLOWS } from "./report-words.ts";

/** The number of each claim in reading order, by the id of its statement. The ids of cards hold it. */
export type ClaimNumbers = ReadonlyMap<string, number>;

export function claimNumbers(report: Report): ClaimNumbers {
  return new Map(claimsWithMarks(report).map(({ statement_id }, at) => [statement_id, at + 1]));
}

/** Excerpts have no card, since their places are below them. */
function claimsWithMarks({ blocks, statements }: Report): Claim[] {
  return claimsOf({ blocks: blocks.filter(({ kind }) => kind !== "excerpt"), statements });
}

/** A button for each source of a claim, or one for a conclusion. Each opens a card. */
export function marksHtml(claim: Claim | null, report: Report, numbers: ClaimNumbers): string {
  if (claim === null) return "";
  const number = numbers.get(claim.statement_id);
  if (claim.basis === "derived") {
    const behind = numbersBehind(claim, report).join(", ");
    const text = `${FOLLOWS}${behind === "" ? "" : ` ${behind}`}`;
    return markButton(claim, { card: `card-${number}`, text, label: "What it follows from" });
  }
  const marks = marksOf(claim, report).map(({ source }) =>
    markButton(claim, {
      card: `card-${number}-${source.number}`,
      text: String(source.number),
      label: `Quote from source ${source.number}`,
      source: source.source_digest,
    }),
  );
  return marks.join("");
}

/** Attributes name the statement and the source, for the console, which can show more than the card. */
function markButton(
  { statement_id }: Claim,
  { card, text, label, source }: { card: string; text: string; label: string; source?: string },
): string {
  const about = `${aboutStatement(statement_id)}${source === undefined ? "" : ` data-source="${hexOf(source)}"`}`;
  return `<button type="button" class="mark" popovertarget="${card}" title="${label}"${about}>${text}</button>`;
}

export function aboutStatement(statementId: string): string {
  return ` data-statement="${Bun.escapeHTML(statementId)}"`;
}

/** All cards of the page. A claim that is shown twice has its cards once. */
export function cardsOf(report: Report, numbers: ClaimNumbers, texts: SourceTexts): string[] {
  return claimsWithMarks(report).flatMap((claim) => {
    const number = numbers.get(claim.statement_id);
    if (claim.basis === "derived") return [card(`card-${number}`, derivedContent(claim, report, texts))];
    return marksOf(claim, report).map((mark) =>
      card(`card-${number}-${mark.source.number}`, [...quotesContent(mark, texts), verdictLine(claim)]),
    );
  });
}

function card(id: string, content: readonly string[]): string {
  return `<div popover class="card" id="${id}" tabindex="0">\n${content.filter((one) => one !== "").join("\n")}\n</div>`;
}

function quotesContent({ source, quotes }: Mark, texts: SourceTexts): string[] {
  return quotes.map((quote) => {
    const place = `<p class="place">${placeHtml({ source, place: fullPlaceOf(quote, source) })}</p>`;
    return `${place}\n${quoteInParagraph(quote, source.origin, texts)}\n${byHand(quote)}`;
  });
}

function derivedContent(claim: DerivedClaim, report: Report, texts: SourceTexts): string[] {
  const from = premisesOf(claim, report).map(
    ({ text, numbers }) =>
      `<li><span${foreign(text)}>${richText(text)}</span> ${numbers.map(sourceLink).join(" ")}</li>`,
  );
  return [
    `<p class="place">Our conclusion</p>`,
    from.length === 0 ? "" : `<p>It follows from:</p>\n<ul>\n${from.join("\n")}\n</ul>`,
    claim.expression === undefined ? "" : `<p>Computed as <code>${escaped(claim.expression)}</code></p>`,
    ...marksOf(claim, report).flatMap((mark) => quotesContent(mark, texts)),
    verdictLine(claim),
  ];
}

function verdictLine(claim: Claim): string {
  const words = doubtOf(claim) ?? "supported";
  return `<p class="small">Checked: ${bdi(words)}, ${judgedText(claim.method, bdi)}.</p>`;
}

/** `[3] Title, Heading > Path, p. 12` */
export function placeHtml({ source, place }: Place): string {
  const where = place === "" ? "" : `, ${bdi(place)}`;
  return `${sourceLink(source.number)} <bdi class="title">${richText(source.title)}</bdi>${where}`;
}

function sourceLink(number: number): string {
  return `<a href="#source-${number}">[${number}]</a>`;
}

/** The command that prints the bytes of a quote, for a reader in the folder of the run. */
export function byHand({ source_digest, start, end }: Quote): string {
  const command = `tail -c +${start + 1} sources/${hexOf(source_digest)}.txt | head -c ${end - start}`;
  return `<details class="by-hand"><summary>Check by hand</summary>
<p>In the folder of the run this prints the bytes ${start} to ${end} of the source's text:</p>
<pre><code>${command}</code></pre>
</details>`;
}
