// Finds what supports the statements of a report: their marks, their quotes with places, their sources.
import { memberOf } from "../kernel/member.ts";
import { shownLine } from "../kernel/shown-text.ts";
import {
  claimsOf,
  isClaim,
  quotingOf,
  type Claim,
  type Quoting,
  type Report,
  type Statement,
} from "../run/report/report.ts";
import type { Anchor, Quote } from "../run/report/source.ts";
import { cut } from "./text-pieces.ts";

const MAX_PLACE_LENGTH = 48;

export type ReportSource = Report["sources"][number];

// --- marks --------------------------------------------------------------------------------------------------------

/** A source that a statement rests on, with its quotes and their places. */
export interface Mark {
  source: ReportSource;
  quotes: Quote[];
  places: string[];
}

/**
 * The marks of a claim, one for each source. The headings above a quote are among the places of a quoted statement alone: for
 * others they are in the list of sources.
 */
export function marksOf({ basis, quotes }: Claim, report: Report): Mark[] {
  return report.sources.flatMap((source) => {
    const own = quotes.filter((quote) => isFrom(source, quote));
    const places = own.flatMap(({ anchor }) => placeOf(anchor, source.title, basis === "quoted"));
    return own.length === 0 ? [] : [{ source, quotes: own, places: [...new Set(places)] }];
  });
}

/** `3, p. 12; p. 14`: what is in the brackets of a mark. */
export function markText({ source: { number }, places }: Mark): string {
  return places.length === 0 ? String(number) : `${number}, ${places.join("; ")}`;
}

export type DerivedClaim = Extract<Claim, { basis: "derived" }>;

/** The statements that a conclusion follows from, each with the numbers of its sources. */
export function premisesOf({ from }: DerivedClaim, report: Report): { text: string; numbers: number[] }[] {
  return statementsIn(from, report).map((one) => ({
    text: one.text,
    numbers: isClaim(one) ? numbersBehind(one, report) : [],
  }));
}

/** The numbers of the sources of a claim and of all statements that it follows from. */
export function numbersBehind(claim: Claim, report: Report): number[] {
  const digests = new Set(quotesUnder(claim, report, new Set()).map(({ source_digest }) => source_digest));
  return report.sources.flatMap(({ number, source_digest }) => (digests.has(source_digest) ? [number] : []));
}

function quotesUnder(statement: Statement | undefined, report: Report, seen: Set<string>): Quote[] {
  if (statement === undefined || !isClaim(statement) || seen.has(statement.statement_id)) return [];
  seen.add(statement.statement_id);
  const from = statement.basis === "derived" ? statement.from : [];
  return [...statement.quotes, ...from.flatMap((id) => quotesUnder(memberOf(report.statements, id), report, seen))];
}

/** The doubt about a claim, in words; null for one that is supported, and for what claims nothing. */
export function doubtOf(statement: Quoting): string | null {
  if (statement.basis === "nearest" || statement.verdict === "supported") return null;
  const { verdict, reason } = statement;
  return `${verdict.replace("_", " ")}${reason === undefined ? "" : `: ${reason}`}`;
}

// --- places -------------------------------------------------------------------------------------------------------

export interface Place {
  source: ReportSource;
  /** As `fullPlaceOf` says it. */
  place: string;
}

/** The places of quotes whose sources are known. */
export function placesOf(quotes: readonly Quote[], report: Report): Place[] {
  return quotes.flatMap((quote) => {
    const source = sourceOf(quote, report);
    return source === undefined ? [] : [{ source, place: fullPlaceOf(quote, source) }];
  });
}

/** `Handbook, Options > Defaults, p. 12` */
export function placeText({ source: { title }, place }: Place): string {
  return [title, place].filter((one) => one !== "").join(", ");
}

/** `Options > Defaults, p. 12`, or empty when the place is not known. */
export function fullPlaceOf({ anchor }: Quote, { title }: ReportSource): string {
  const headings = headingsIn(anchor, title).join(" > ");
  return [headings, ...(anchor?.page === undefined ? [] : [`p. ${anchor.page}`])]
    .filter((part) => part !== "")
    .join(", ");
}

/** `p. 12`, or `Options > Defaults`: the two innermost headings, or one when two are too long. */
function placeOf(anchor: Anchor | undefined, title: string, withHeadings: boolean): string[] {
  if (anchor?.page !== undefined) return [`p. ${anchor.page}`];
  const headings = headingsIn(anchor, title);
  const last = headings.at(-1);
  if (last === undefined || !withHeadings) return [];
  const two = headings.slice(-2).join(" > ");
  return [two.length <= MAX_PLACE_LENGTH ? two : cut(last, MAX_PLACE_LENGTH)];
}

/** The headings above a quote, without what repeats the title of the document, which is shown next to them, or the one above. */
function headingsIn(anchor: Anchor | undefined, title: string): string[] {
  const headings = (anchor?.section ?? []).map(shownLine).filter((heading) => heading !== "");
  return headings.filter((heading, at) => heading !== (headings[at - 1] ?? shownLine(title)));
}

/** The places of a source that the report quotes, in the order of the text, each once. */
export function placesIn(report: Report, source: ReportSource): string[] {
  const own = quotingOf(report).flatMap(({ quotes }) => quotes.filter((quote) => isFrom(source, quote)));
  const places = own.sort((a, b) => a.start - b.start).map((quote) => fullPlaceOf(quote, source));
  return [...new Set(places)].filter((place) => place !== "");
}

// --- sources ------------------------------------------------------------------------------------------------------

export function sourceOf(quote: Quote, report: Report): ReportSource | undefined {
  return report.sources.find((source) => isFrom(source, quote));
}

function isFrom({ source_digest }: ReportSource, quote: Quote): boolean {
  return quote.source_digest === source_digest;
}

/** The quotes behind statements that rephrase them, in the order of the text. Quotes that the page shows are left out. */
export function quotesBehind(report: Report, source: ReportSource): Quote[] {
  const spanOf = ({ start, end }: Quote): string => `${start} ${end}`;
  const claims = claimsOf(report).map(({ basis, quotes }) => ({
    isQuoted: basis === "quoted",
    own: quotes.filter((quote) => isFrom(source, quote)),
  }));
  const shown = new Set(claims.flatMap(({ isQuoted, own }) => (isQuoted ? own.map(spanOf) : [])));
  const behind = new Map(claims.flatMap(({ own }) => own).map((quote) => [spanOf(quote), quote]));
  return [...behind]
    .flatMap(([span, quote]) => (shown.has(span) ? [] : [quote]))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The address of a source that is a page of the web, else null. */
export function webAddressOf({ origin }: ReportSource): string | null {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url.href : null;
}

/** The statements with these ids, in their order. Unknown ids are skipped. */
export function statementsIn(ids: readonly string[], report: Report): Statement[] {
  return ids.flatMap((id) => memberOf(report.statements, id) ?? []);
}
