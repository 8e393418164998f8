// What every page of a report shows: markers, places, comparisons and gaps in order; and what is said in our own words.
import { claimsOf, type Claim, type PartStrength, type Report } from "../run/report.ts";
import type { LeftOut } from "../run/settings.ts";
import type { Anchor, Quote } from "../run/source.ts";
import { cut, oneLine } from "./shown-text.ts";

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
  const headings = section.map(oneLine).filter((heading) => heading !== "");
  // The first heading of a document mostly is its title, which the list of sources shows.
  const inner = headings[0] === oneLine(title) ? headings.slice(1) : headings;
  const last = inner.at(-1);
  if (last === undefined) return [];
  const two = inner.slice(-2).join(" > ");
  return [two.length <= MAX_PLACE_LENGTH ? two : cut(last, MAX_PLACE_LENGTH)];
}

/** How a claim is doubtful or was judged in another way than word for word; nothing for most. */
export function doubtOf({ verdict, reason, method }: Claim): string | null {
  if (verdict !== "supported") return `${verdict.replace("_", " ")}${reason === undefined ? "" : `: ${reason}`}`;
  return method === "verbatim" ? null : `supported, by ${method}`;
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

// --- our own words ------------------------------------------------------------------------------------------------

export const TITLES = {
  comparisons: "Where sources differ",
  strengths: "How strong the evidence is",
  none: "What was not found",
  weak: "Thin evidence",
  scope: "How this report was made",
  sources: "Sources",
} as const;

export const PARTIAL = "Partial: made before the run had finished its stages.";
export const STRENGTH_NOTE = "Counted from claims and sources. It does not say whether a source is right.";
export const NOTHING_MISSING = "No part of the question was left without a quote.";

/** Says no more than was checked: that quotes stand in their sources. */
export function introductionOf(report: Report): string {
  const claims = claimsOf(report);
  const checked = claims.filter(({ method, verdict }) => method === "verbatim" && verdict === "supported").length;
  const who = checked === claims.length ? "each" : `${checked} of them`;
  const rest = checked === claims.length ? "" : "; the others say what they are";
  const doubtful = (["contradicted", "not_checked"] as const).flatMap((wanted) => {
    const count = claims.filter(({ verdict }) => verdict === wanted).length;
    return count === 0 ? [] : [`${count} ${wanted.replace("_", " ")}`];
  });
  const doubts = doubtful.length === 0 ? "" : ` Of the claims, ${doubtful.join(" and ")}.`;
  const from = `${counted(claims.length, "claim")} from ${counted(report.sources.length, "source")}`;
  const how = `${who} taken word for word from a source and checked against the stored bytes`;
  return `${from}, ${how}${rest}.${doubts} Whether a source is right was not judged.`;
}

/** Once for all comparisons; the rules in the order of their tables. */
export function comparisonsNote(views: readonly ComparisonView[]): string {
  const rules = [...new Set(views.map(({ method }) => oneLine(method)))];
  return `Sentences put side by side by ${rules.length === 1 ? "the rule" : "the rules"} ${rules.join(", ")}: a hint where to look, no verdict.`;
}

export function comparisonCaption({ kind, title }: ComparisonView): string {
  return `${kind === "numbers" ? "Numbers that differ" : "Sentences that may not agree"}: ${oneLine(title)}`;
}

/** What was counted for a part of the question, and what follows. */
export function strengthText({ claims, sources, reason }: PartStrength): string {
  return claims === 0 ? reason : `${counted(claims, "claim")} from ${counted(sources, "source")}. ${reason}`;
}

/** Driver, documents, limits and notes, a line each. */
export function scopeLines({ scope, notes = [], version_index, trigger_type, partial }: Report): string[] {
  const asked = { auto_natural_stop: "at the end of the run", manual: "asked for", budget: "at the end of the budget" };
  const version = `Version ${version_index}, ${asked[trigger_type]}${partial ? ", partial" : ""}.`;
  if (scope === undefined) return [version, ...notes];
  const { driver, mode, limits, corpora } = scope;
  const thinking = driver === "local" ? "the local driver, which quotes and writes nothing" : `the ${driver} driver`;
  const documents = corpora.map(({ name, documents: many }) => `${many} in ${name}`);
  return [
    `${version} Mode ${mode}, with ${thinking}.`,
    ...(documents.length === 0 ? [] : [`Documents read: ${documents.join(", ")}.`]),
    ...corpora.flatMap(({ name, left_out = [] }) => (left_out.length === 0 ? [] : [leftOutLine(name, left_out)])),
    `Limits: ${counted(limits.max_perspectives, "perspective")}, ${counted(limits.max_depth, "wave")} of research, ${counted(limits.results_per_query, "passage")} a query; ${counted(limits.max_quotes_per_subject, "quote")} from ${counted(limits.max_sources_per_subject, "source")} for each perspective.`,
    ...notes,
  ];
}

function leftOutLine(name: string, leftOut: LeftOut): string {
  const all = leftOut.reduce((sum, { count }) => sum + count, 0);
  const reasons = leftOut.map(({ reason, count }) => `${count} ${reason}`);
  return `Not read in ${name}: ${counted(all, "file")} (${reasons.join("; ")}).`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
