// Lays a report out as a page: its blocks with their statements, what is missing, how it was made, the sources. HTML, Markdown
// and DOCX each draw this page.
import { decodedText } from "../kernel/decoded-text.ts";
import { given } from "../kernel/given.ts";
import { memberOf } from "../kernel/member.ts";
import { shownLine } from "../kernel/shown-text.ts";
import {
  LOOKED_IN_VAIN,
  type Block,
  type Heading,
  type Quoting,
  type Report,
  type Statement,
} from "../run/report/report.ts";
import { isQuoting, claimsOf, quotingOf, sectionsOf, statementsOf } from "../run/report/statements.ts";
import { coverageMapOf, type CoverageMap } from "./coverage-map.ts";
import { onOneLine, withoutMarkup } from "./excerpt-lines.ts";
import { cut } from "./text-pieces.ts";
import { partsOfQuote, usefulMarks } from "./excerpt-parts.ts";
import { spanKey, type Quote } from "../run/report/source.ts";
import {
  allMarks,
  gapsBehind,
  placeOf,
  sidesOf,
  sourceOf,
  statementsIn,
  webAddressOf,
  type Mark,
  type ReportSource,
} from "./report-view.ts";
import { coverageTable, leadText, madeLines, partialLines, SPENT, TITLES, unreadLines } from "./report-words.ts";

/** Longer quotes are cut in the list of sources. They are complete in report.json and in the cards of the HTML page. */
const MAX_QUOTE_LENGTH = 1_000;
export const FIRST_WORDS_LENGTH = 80;
/** What a source says that another disagrees with. */
const MAX_SAID = 300;

/** `title` is null for the blocks above the first heading. */
export interface PageSection {
  title: string | null;
  role?: Heading["role"];
  blocks: PageBlock[];
}

export type PageBlock =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; line: Line }
  | { kind: "list"; ordered: boolean; start?: number | undefined; items: Line[] }
  | { kind: "code"; text: string; language?: string | undefined; sentences: Sentence[] }
  /** All rows are as long as `columns`. */
  | { kind: "table"; caption?: string | undefined; columns: string[]; rows: PageCell[][] }
  | Excerpt
  /** A picture. Markdown and DOCX leave it out. */
  | { kind: "map"; map: CoverageMap }
  | { kind: "sources"; entries: SourceEntry[] };

/**
 * Sentences in a row. `lead`: a bold label before them. `note`: a remark behind them, in smaller letters or in brackets. `gap`:
 * the id of the gap that the line is about, to which marks lead.
 */
export interface Line {
  gap?: string;
  /** Of an item with a box. */
  checked?: boolean;
  lead?: string;
  sentences: Sentence[];
  note?: string;
}

/**
 * A quote has quotation marks in `text`. `resting` is null for a sentence that rests on no quote. `continues`: it is a clause of
 * the sentence before it, with marks of its own.
 */
export interface Sentence {
  text: string;
  continues?: true;
  resting: Quoting | null;
}

/** Plain words, or the sentences of statements. */
export type PageCell = string | Sentence[];
export type Excerpt = ReturnType<typeof excerptOf>[number];
export type SourceEntry = ReturnType<typeof entryOf>;

/** `spent`: what the models used, as text, which the report itself does not know. */
export function pageOf(report: Report, spent: string | null = null) {
  const own = sectionsOf(report);
  const answer = Math.max(
    0,
    own.findIndex(({ heading }) => heading?.role === "answer"),
  );
  const sections = own.map(({ heading, blocks }, at): PageSection => ({
    title: heading?.text ?? null,
    role: heading?.role,
    blocks: [...blocks.flatMap((block) => blockOf(block, report)), ...(at === answer ? assumptionsOf(report) : [])],
  }));
  return {
    title: report.title ?? report.question,
    /** Sentences that a reader has to see first. */
    warnings: partialLines(report),
    sections,
    /** True when the page has marks that a legend explains. */
    hasMarks: quotingOf(report).length > 0,
    hasGapMarks: gapsMarked(report).size > 0,
    hasSuggestions: statementsOf(report).some(({ basis }) => basis === "suggested"),
    hasConclusions: statementsOf(report).some(({ basis }) => basis === "derived"),
    hasEmphasis: sections.some(({ blocks }) => blocks.some((block) => block.kind === "excerpt" && block.hasMarks)),
    /** Sections in our own words, behind those of the report. */
    further: furtherSections(report, spent),
  };
}

function assumptionsOf({ assumptions = [] }: Report): PageBlock[] {
  if (assumptions.length === 0) return [];
  const text = `${assumptions.map((one) => one.replace(/[.;\s]+$/u, "")).join("; ")}.`;
  return [{ kind: "paragraph", line: { lead: leadText("We assumed"), ...plainLine(text) } }];
}

export function blockOf(block: Block, report: Report): PageBlock[] {
  const lineOf = ({ lead, statements, checked }: Extract<Block, { kind: "list" }>["items"][number]): Line => ({
    ...given({ checked }),
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
  return statementsIn(ids, report).flatMap((one): Sentence[] => {
    const text = one.basis === "quoted" || one.basis === "nearest" ? `“${one.text}”` : one.text;
    return clausesOf(one) ?? [{ text, resting: isQuoting(one) ? one : null }];
  });
}

/** What is between a sentence and the one before it in its line. */
export function blankBefore({ text, continues }: Sentence): string {
  return continues !== true || /^\s/u.test(text) ? " " : "";
}

/** Null for a statement whose marks are all at its end. What is doubted is said behind the last clause. */
function clausesOf(statement: Statement): Sentence[] | null {
  if (statement.basis !== "cited" || statement.clauses === undefined) return null;
  const { text, quotes, clauses, gap_ids: _gaps, reason: _reason, ...rest } = statement;
  const bytes = new TextEncoder().encode(text);
  const placed = new Set(clauses.flatMap((clause) => clause.quotes));
  const parts: Sentence[] = [];
  let from = 0;
  for (const clause of clauses.toSorted((a, b) => a.end - b.end)) {
    if (clause.end <= from || clause.end >= bytes.length) continue;
    const own = clause.quotes.flatMap((at) => quotes[at] ?? []);
    parts.push({
      text: decodedText(bytes.subarray(from, clause.end)),
      ...(from === 0 ? {} : { continues: true }),
      resting: { ...rest, text, verdict: "supported", quotes: own },
    });
    from = clause.end;
  }
  if (from === 0) return null;
  const atEnd = clauses.filter(({ end }) => end >= bytes.length).flatMap((clause) => clause.quotes);
  const left = quotes.filter((_quote, at) => !placed.has(at) || atEnd.includes(at));
  return [
    ...parts,
    { text: decodedText(bytes.subarray(from)), continues: true, resting: { ...statement, quotes: left } },
  ];
}

/** Empty when the statement has no quote. */
function excerptOf({ statement, marks, code, lacks = [] }: Extract<Block, { kind: "excerpt" }>, report: Report) {
  const shown = memberOf(report.statements, statement);
  if (shown === undefined || !isQuoting(shown)) return [];
  const [quote] = shown.quotes;
  if (quote === undefined) return [];
  const useful = usefulMarks(quote, marks);
  const parts = partsOfQuote(quote, useful, sourceOf(quote, report)?.origin ?? "", code);
  // `lacks` are words of the question.
  return [{ kind: "excerpt" as const, statement: shown, text: quote.text, parts, hasMarks: useful.length > 0, lacks }];
}

// --- behind the blocks --------------------------------------------------------------------------------------------

function furtherSections(report: Report, spent: string | null): PageSection[] {
  const marked = gapsMarked(report);
  // A gap that does not say how much was found counts as nothing found.
  const isWeak = ({ evidence }: Report["gaps"][number]): boolean => evidence === "weak";
  const lineOfGap = (gap: Report["gaps"][number]): Line => ({
    ...(marked.has(gap.gap_id) ? { gap: gap.gap_id } : {}),
    ...gapLine(gap),
  });
  const made = [...madeLines(report), ...(spent === null ? [] : [`${SPENT}: ${spent}.`])];
  const { columns, rows } = coverageTable(report);
  const map = coverageMapOf(report);
  const marks = Map.groupBy(allMarks(report), ({ source }) => source);
  const shown = quotesShown(report);
  const sources = report.sources.map((source) => entryOf(source, marks.get(source) ?? [], shown));
  const table: PageBlock[] = rows.length === 0 ? [] : [{ kind: "table", columns, rows }];
  const coverage = [...listOf(unreadLines(report).map(plainLine)), ...table];
  const sections: [string, PageBlock[]][] = [
    [TITLES.disagree, listOf(disagreementLines(report).map(plainLine))],
    [TITLES.none, listOf(report.gaps.filter((gap) => !isWeak(gap)).map(lineOfGap))],
    [TITLES.weak, listOf(report.gaps.filter(isWeak).map(lineOfGap))],
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
  return { sentences: [{ text, resting: null }] };
}

/** [1c] Handbook says “…”, [2a] Memo says “…”. */
function disagreementLines(report: Report): string[] {
  return claimsOf(report).flatMap((claim) => {
    const sides = sidesOf(claim, report);
    if (sides === null) return [];
    const said = sides.map((marks) =>
      marks
        .map(
          ({ name, quote, source }) =>
            `${shownLine(source.title)} [${name}] says “${cut(wordsOf(quote, source), MAX_SAID)}”`,
        )
        .join("; "),
    );
    return [said.join(" Against that, ")];
  });
}

/** The ids of the gaps to which a mark of the page leads. A sentence that only says what was not found has no mark. */
function gapsMarked(report: Report): ReadonlySet<string> {
  return new Set(quotingOf(report).flatMap((one) => gapsBehind(one, report)));
}

/** The reason is shown when it says more than that nothing was found. */
function gapLine({ text, reason }: Report["gaps"][number]): Line {
  return { ...plainLine(text), ...(reason === LOOKED_IN_VAIN ? {} : { note: reason }) };
}

/** `shown`: the keys of the quotes that the page shows whole. */
function entryOf(source: ReportSource, marks: readonly Mark[], shown: ReadonlySet<string>) {
  return {
    source,
    /** Null for a source that is no page of the web. */
    address: webAddressOf(source),
    quotes: marks.map((mark) => {
      const isShown = shown.has(spanKey(mark.quote));
      /** Of a quote that the page shows, the first words. */
      const words = cut(wordsOf(mark.quote, source), isShown ? FIRST_WORDS_LENGTH : MAX_QUOTE_LENGTH);
      return { mark, place: placeOf(mark.quote, source), isShown, words };
    }),
  };
}

/** A quote on one line, without the markup of its file. */
function wordsOf({ text }: Quote, { origin }: ReportSource): string {
  return onOneLine(withoutMarkup(text, origin), origin);
}

function quotesShown(report: Report): ReadonlySet<string> {
  const shown = quotingOf(report).filter(({ basis }) => basis === "quoted" || basis === "nearest");
  return new Set(shown.flatMap(({ quotes }) => quotes.map(spanKey)));
}
