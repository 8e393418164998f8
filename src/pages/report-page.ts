// The report as a page: its blocks with the statements in them, what is missing, how it was made, the sources. Each form of
// the report draws this page in its own way.
import { memberOf } from "../kernel/member.ts";
import {
  isClaim,
  LOOKED_IN_VAIN,
  sectionsOf,
  statementsOf,
  type Block,
  type Claim,
  type Heading,
  type Report,
} from "../run/report.ts";
import { coverageMapOf, type CoverageMap } from "./coverage-map.ts";
import { partsOfQuote, tellingMarks } from "./excerpt-parts.ts";
import {
  fullPlaceOf,
  placesIn,
  quotesBehind,
  sourceOf,
  statementsIn,
  webAddressOf,
  type ReportSource,
} from "./report-view.ts";
import { coverageTable, leadText, madeLines, partialLines, SPENT, TITLES, unreadLines } from "./report-words.ts";

/** `title` is null for what stands above all headings. */
export interface PageSection {
  title: string | null;
  role?: Heading["role"];
  blocks: PageBlock[];
}

export type PageBlock =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; line: Line }
  | { kind: "list"; ordered: boolean; start?: number | undefined; items: Line[] }
  | { kind: "code"; text: string; sentences: Sentence[] }
  /** The rows are as long as each other. */
  | { kind: "table"; caption?: string | undefined; columns: string[]; rows: PageCell[][] }
  | Excerpt
  /** A picture; the forms that have none leave it out. */
  | { kind: "map"; map: CoverageMap }
  | { kind: "sources"; entries: SourceEntry[] };

/** Sentences that run on behind a bold `lead`; `note` says more, less loudly. */
export interface Line {
  lead?: string;
  sentences: Sentence[];
  note?: string;
}

/** A quote stands in quotation marks; `claim` is null for what asserts nothing. */
export interface Sentence {
  text: string;
  claim: Claim | null;
}

/** Plain words, or statements. */
export type PageCell = string | Sentence[];
export type Excerpt = ReturnType<typeof excerptOf>[number];
export type SourceEntry = ReturnType<typeof entryOf>;

/** `spent` says what models used by then, which the report itself does not know. */
export function pageOf(report: Report, spent: string | null = null) {
  const sections = sectionsOf(report).map(({ heading, blocks }): PageSection => ({
    title: heading?.text ?? null,
    role: heading?.role,
    blocks: blocks.flatMap((block) => blockOf(block, report)),
  }));
  return {
    title: report.title ?? report.question,
    /** Sentences that a reader has to know before they read. */
    warnings: partialLines(report),
    sections,
    /** Marks on the page that a reader may not know. */
    hasConclusions: statementsOf(report).some(({ basis }) => basis === "derived"),
    hasEmphasis: sections.some(({ blocks }) => blocks.some((block) => block.kind === "excerpt" && block.hasMarks)),
    /** Sections in our own words, behind those of the report. */
    further: furtherSections(report, spent),
  };
}

function blockOf(block: Block, report: Report): PageBlock[] {
  const lineOf = ({ lead, statements }: { lead?: string | undefined; statements: string[] }): Line => ({
    ...(lead === undefined ? {} : { lead: leadText(lead) }),
    sentences: sentencesOf(statements, report),
  });
  switch (block.kind) {
    case "heading":
      return [block];
    case "paragraph":
      return [{ kind: "paragraph", line: lineOf(block) }];
    case "list":
      return [{ ...block, items: block.items.map(lineOf) }];
    case "code":
      return [{ ...block, sentences: sentencesOf([block.statement], report) }];
    case "table": {
      const { caption, columns, rows } = block;
      const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell : sentencesOf(cell, report))));
      const width = Math.max(columns.length, ...rows.map((row) => row.length));
      const filled = <T>(row: readonly T[]): (T | string)[] => Array.from({ length: width }, (_, at) => row[at] ?? "");
      return [{ kind: "table", caption, columns: filled(columns), rows: cells.map(filled) }];
    }
    case "excerpt":
      return excerptOf(block, report);
  }
}

function sentencesOf(ids: readonly string[], report: Report): Sentence[] {
  return statementsIn(ids, report).map((one) => ({
    text: one.basis === "quoted" ? `“${one.text}”` : one.text,
    claim: isClaim(one) ? one : null,
  }));
}

/** Nothing for one that no quote stands behind. */
function excerptOf({ statement, marks, code, lacks = [] }: Extract<Block, { kind: "excerpt" }>, report: Report) {
  const claim = memberOf(report.statements, statement);
  if (claim === undefined || !isClaim(claim)) return [];
  const [quote] = claim.quotes;
  if (quote === undefined) return [];
  const telling = tellingMarks(quote, marks);
  const parts = partsOfQuote(quote, telling, sourceOf(quote, report)?.origin ?? "", code);
  // `lacks` are words of the question.
  return [{ kind: "excerpt" as const, claim, text: quote.text, parts, hasMarks: telling.length > 0, lacks }];
}

// --- behind the blocks --------------------------------------------------------------------------------------------

function furtherSections(report: Report, spent: string | null): PageSection[] {
  // A gap that does not say how much was found counts as nothing found.
  const isWeak = ({ evidence }: Report["gaps"][number]): boolean => evidence === "weak";
  const made = [...madeLines(report), ...(spent === null ? [] : [`${SPENT}: ${spent}.`])];
  const { columns, rows } = coverageTable(report);
  const map = coverageMapOf(report);
  const sources = report.sources.map((source) => entryOf(source, report));
  const table: PageBlock[] = rows.length === 0 ? [] : [{ kind: "table", columns, rows }];
  const coverage = [...listOf(unreadLines(report).map(plainLine)), ...table];
  const sections: [string, PageBlock[]][] = [
    [TITLES.none, listOf(report.gaps.filter((gap) => !isWeak(gap)).map(gapLine))],
    [TITLES.weak, listOf(report.gaps.filter(isWeak).map(gapLine))],
    [TITLES.remarks, listOf((report.made.remarks ?? []).map(plainLine))],
    [TITLES.coverage, [...coverage, ...(map === null ? [] : [{ kind: "map" as const, map }])]],
    [TITLES.made, listOf(made.map(plainLine))],
    [TITLES.sources, sources.length === 0 ? [] : [{ kind: "sources", entries: sources }]],
  ];
  return sections.flatMap(([title, blocks]) => (blocks.length === 0 ? [] : [{ title, blocks }]));
}

function listOf(items: Line[]): PageBlock[] {
  return items.length === 0 ? [] : [{ kind: "list", ordered: false, items }];
}

function plainLine(text: string): Line {
  return { sentences: [{ text, claim: null }] };
}

/** The reason is shown where it says more than that nothing was found. */
function gapLine({ text, reason }: Report["gaps"][number]): Line {
  return { ...plainLine(text), ...(reason === LOOKED_IN_VAIN ? {} : { note: reason }) };
}

function entryOf(source: ReportSource, report: Report) {
  const quotes = quotesBehind(report, source).map((quote) => ({ quote, place: fullPlaceOf(quote, source) }));
  return {
    source,
    /** Null for a source that is no page of the web. */
    address: webAddressOf(source),
    /** The places that are quoted. */
    places: placesIn(report, source),
    /** The quotes behind statements in other words. */
    quotes,
  };
}
