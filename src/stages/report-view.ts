// What every page of a report shows: markers, places, quotes, comparisons and gaps, in order.
import { shownLine } from "../kernel/shown-text.ts";
import { claimsOf, type Claim, type Report } from "../run/report.ts";
import type { Anchor, Quote } from "../run/source.ts";
import { cut } from "./shown-text.ts";

const MAX_PLACE_LENGTH = 48;

// --- markers and places -------------------------------------------------------------------------------------------

/** A source that a claim quotes, and where in it. */
export interface Marker {
  number: number;
  places: string[];
}

export function markersOf({ quotes }: Claim, report: Report): Marker[] {
  return report.sources.flatMap((source) => {
    const own = quotes.filter(({ source_digest }) => source_digest === source.source_digest);
    return own.length === 0 ? [] : [{ number: source.number, places: placesOf(own, source.title) }];
  });
}

/** `3, p. 12; p. 14`, as it stands in the brackets. */
export function markerText({ number, places }: Marker): string {
  return places.length === 0 ? String(number) : `${number}, ${places.join("; ")}`;
}

/** The pages and sections of a source that the report quotes, in the order of the text, each once. */
export function placesIn(report: Report, { source_digest, title }: Report["sources"][number]): string[] {
  const quotes = claimsOf(report).flatMap((claim) => claim.quotes);
  const own = quotes.filter((quote) => quote.source_digest === source_digest);
  return placesOf(
    own.sort((a, b) => a.start - b.start),
    title,
  );
}

function placesOf(quotes: readonly Quote[], title: string): string[] {
  const places = quotes.flatMap(({ anchor }) => (anchor === undefined ? [] : placeOf(anchor, title)));
  return [...new Set(places)];
}

/** `p. 12`, or `Options > Defaults`: the two innermost headings, or one when two are too long. */
function placeOf({ page, section = [] }: Anchor, title: string): string[] {
  if (page !== undefined) return [`p. ${page}`];
  const headings = section.map(shownLine).filter((heading) => heading !== "");
  // The first heading of a document mostly is its title, which the list of sources shows.
  const inner = headings[0] === shownLine(title) ? headings.slice(1) : headings;
  const last = inner.at(-1);
  if (last === undefined) return [];
  const two = inner.slice(-2).join(" > ");
  return [two.length <= MAX_PLACE_LENGTH ? two : cut(last, MAX_PLACE_LENGTH)];
}

/** How a claim is doubtful; nothing for most. */
export function doubtOf({ verdict, reason }: Claim): string | null {
  if (verdict === "supported") return null;
  return `${verdict.replace("_", " ")}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The claim is a quote itself, and the quote stands in its source. */
export function isWordForWord({ method, verdict }: Claim): boolean {
  return method === "verbatim" && verdict === "supported";
}

// --- quotes behind claims -----------------------------------------------------------------------------------------

export interface NumberedQuote {
  number: number;
  quote: Quote;
  marker: Marker;
}

/** By claim, the quotes behind those that are no quotes themselves; numbered as they are read, a span always the same. */
export function quotesBehind(report: Report): ReadonlyMap<Claim, NumberedQuote[]> {
  const bySpan = new Map<string, NumberedQuote>();
  const claims = sectionsInOrder(report).flatMap((section) => section.claims);
  return new Map(
    claims.map((claim) => {
      const quotes = claim.method === "verbatim" ? [] : claim.quotes;
      return [claim, quotes.flatMap((quote) => numbered(quote, bySpan, report))];
    }),
  );
}

function numbered(quote: Quote, bySpan: Map<string, NumberedQuote>, report: Report): NumberedQuote[] {
  const { source_digest, start, end } = quote;
  const source = report.sources.find((one) => one.source_digest === source_digest);
  if (source === undefined) return [];
  const span = `${source_digest} ${start} ${end}`;
  const marker = { number: source.number, places: placesOf([quote], source.title) };
  const known = bySpan.get(span) ?? { number: bySpan.size + 1, quote, marker };
  bySpan.set(span, known);
  return [known];
}

// --- parts of the page --------------------------------------------------------------------------------------------

/** The answer first, the other sections as they come. */
export function sectionsInOrder({ sections }: Report): Report["sections"] {
  const isAnswer = ({ role }: Report["sections"][number]): boolean => role === "answer";
  return [...sections.filter(isAnswer), ...sections.filter((section) => !isAnswer(section))];
}

export interface ComparisonView {
  kind: "numbers" | "disagreement";
  title: string;
  method: string;
  sides: { value: string; claim: Claim }[];
}

/** Comparisons whose claims stand in the report. */
export function comparisonsOf(report: Report): ComparisonView[] {
  const claims = new Map(claimsOf(report).map((claim) => [claim.claim_id, claim]));
  return (report.comparisons ?? []).flatMap(({ sides, ...rest }) => {
    const found = sides.flatMap(({ claim_id, value }) => {
      const claim = claims.get(claim_id);
      return claim === undefined ? [] : [{ value, claim }];
    });
    return found.length < 2 ? [] : [{ ...rest, sides: found }];
  });
}

/** A gap that does not say how much was found counts as nothing found. */
export function gapsOf({ gaps }: Report): { weak: Report["gaps"]; none: Report["gaps"] } {
  return {
    weak: gaps.filter(({ evidence }) => evidence === "weak"),
    none: gaps.filter(({ evidence }) => evidence !== "weak"),
  };
}
