// Finds what supports the statements of a report: their marks, their quotes with places, their sources.
import { memberOf } from "../kernel/member.ts";
import { shownLine } from "../kernel/shown-text.ts";
import type { Claim, Quoting, Report, Statement } from "../run/report/report.ts";
import { gapsNamedBy, isClaim, isQuoting, premisesIn, quotingOf } from "../run/report/statements.ts";
import { spanKey, type Anchor, type Quote } from "../run/report/source.ts";

export type ReportSource = Report["sources"][number];

// --- marks --------------------------------------------------------------------------------------------------------

/** Leads to one quote. */
export interface Mark {
  /** `2c`: the third quote of source 2. */
  name: string;
  source: ReportSource;
  quote: Quote;
}

/** The marks of quotes whose sources are known, in the order of the sources and of their texts, each once. */
export function marksOf(quotes: readonly Quote[], report: Report): Mark[] {
  return report.sources.flatMap((source) => {
    const own = new Map(quotes.flatMap((quote) => (isFrom(source, quote) ? [[spanKey(quote), quote]] : [])));
    return [...own.values()]
      .sort((a, b) => a.start - b.start || a.end - b.end)
      .map((quote) => ({ name: `${source.number}${letterIn(source, quote)}`, source, quote }));
  });
}

function letterIn({ quotes = [] }: ReportSource, { start, end }: Quote): string {
  return quotes.find((one) => one.start === start && one.end === end)?.letter ?? "";
}

/** The marks of all that the report quotes. */
export function allMarks(report: Report): Mark[] {
  return marksOf(
    quotingOf(report).flatMap(({ quotes }) => quotes),
    report,
  );
}

export type DerivedClaim = Extract<Claim, { basis: "derived" }>;

/** The statements that a conclusion follows from, and what it names as not found, each with its marks. */
export function premisesOf(
  claim: DerivedClaim,
  report: Report,
): { text: string; marks: Mark[]; gaps: readonly string[] }[] {
  const named = new Set(gapsNamedBy(claim));
  return [
    ...statementsIn(claim.from, report).map((one) => ({
      text: one.text,
      marks: marksBehind(one, report),
      gaps: gapsBehind(one, report),
    })),
    ...report.gaps.flatMap(({ gap_id, text }) => (named.has(gap_id) ? [{ text, marks: [], gaps: [gap_id] }] : [])),
  ];
}

/** The marks of a statement and of all that it follows from. */
export function marksBehind(statement: Statement, report: Report): Mark[] {
  const under = statementsUnder(statement, report);
  return marksOf(
    under.flatMap((one) => (isQuoting(one) ? one.quotes : [])),
    report,
  );
}

/** The ids of the gaps that a statement and all that it follows from name, in the order of the gaps. */
export function gapsBehind(statement: Statement, report: Report): string[] {
  const named = new Set(statementsUnder(statement, report).flatMap(gapsNamedBy));
  return report.gaps.flatMap(({ gap_id }) => (named.has(gap_id) ? [gap_id] : []));
}

/** The name of the line about a gap inside of a file. */
export function placeOfGap(gapId: string): string {
  return `gap_${gapId.replace(/[^\w-]/gu, "_")}`;
}

/** A statement and all that it follows from, each once. */
function statementsUnder(statement: Statement, report: Report, seen = new Set<string>()): Statement[] {
  if (seen.has(statement.statement_id)) return [];
  seen.add(statement.statement_id);
  const from = statementsIn(premisesIn(statement), report);
  return [statement, ...from.flatMap((one) => statementsUnder(one, report, seen))];
}

/** The names of the marks of a claim whose sources disagree, by side. Null where they do not. */
export function sidesOf(statement: Quoting, report: Report): [Mark[], Mark[]] | null {
  if (statement.basis !== "cited" || statement.against === undefined) return null;
  const { quotes, against } = statement;
  return [marksOf(quotes.slice(0, against), report), marksOf(quotes.slice(against), report)];
}

/** The doubt about a claim, in words; null for one that is supported, and for what claims nothing. */
export function doubtOf(statement: Quoting): string | null {
  if (!isClaim(statement) || statement.verdict === "supported") return null;
  const { verdict, reason } = statement;
  return `${verdict.replace("_", " ")}${reason === undefined ? "" : `: ${reason}`}`;
}

// --- places -------------------------------------------------------------------------------------------------------

/** `Handbook, Options > Defaults, p. 12` */
export function placeText({ quote, source }: Mark): string {
  return [source.title, placeOf(quote, source)].filter((one) => one !== "").join(", ");
}

/** `Options > Defaults, p. 12`, or empty when the place is not known. */
export function placeOf({ anchor }: Quote, { title }: ReportSource): string {
  const headings = headingsIn(anchor, title).join(" > ");
  return [headings, ...(anchor?.page === undefined ? [] : [`p. ${anchor.page}`])]
    .filter((part) => part !== "")
    .join(", ");
}

/** The headings above a quote, without what repeats the title of the document, which is shown next to them, or the one above. */
function headingsIn(anchor: Anchor | undefined, title: string): string[] {
  const headings = (anchor?.section ?? []).map(shownLine).filter((heading) => heading !== "");
  return headings.filter((heading, at) => heading !== (headings[at - 1] ?? shownLine(title)));
}

// --- sources ------------------------------------------------------------------------------------------------------

export function sourceOf(quote: Quote, report: Report): ReportSource | undefined {
  return report.sources.find((source) => isFrom(source, quote));
}

function isFrom({ source_digest }: ReportSource, quote: Quote): boolean {
  return quote.source_digest === source_digest;
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
