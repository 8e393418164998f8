// Makes the draft of a written page: its statements with what each rests on and its verdict, without what gate E would refuse.
import { assert } from "../../kernel/assert.ts";
import { given } from "../../kernel/given.ts";
import type { WritersInput } from "../../ports/driver.ts";
import { showsResult } from "../../run/report/claim-numbers.ts";
import { blocksWith } from "../../run/report/changed-blocks.ts";
import { contradictedApart, withoutEmptyHeadings } from "../../run/report/contradicted-apart.ts";
import { withDoubtedConclusions } from "../../run/report/doubted-conclusions.ts";
import { draftFaults } from "../../run/report/draft-faults.ts";
import { isRowLabel } from "../../run/report/labels.ts";
import { addressFaults, numberFaults } from "../../run/report/number-faults.ts";
import { withoutAddresses } from "../../run/report/shown-addresses.ts";
import type { Block, Draft, Quoting, Statement } from "../../run/report/report.ts";
import { claimsOf, idsIn, isQuoting, quotingOf } from "../../run/report/statements.ts";
import type { Quote } from "../../run/report/source.ts";
import { numberedSources } from "../sources/numbered-sources.ts";
import type { Judged } from "../verdicts/verdicts-brief.ts";
import type { Material } from "./material.ts";
import { shownGaps } from "./noted-gaps.ts";
import { textsNamedBy, type Fault } from "./page/faults.ts";
import { partsOf, type Said } from "./page/part-coverage.ts";
import { isQuotation, type WrittenLabel, type WrittenPage, type WrittenStatement } from "./page/written-page.ts";

/** A page as it was written. */
export interface Written {
  page: WrittenPage;
  parts: Said[];
  /** The faults of form that are left. */
  faults: Fault[];
}

/** The verdicts on a page. */
export interface PageVerdicts {
  /** A statement that needs no judge is supported. */
  verdictOn(statement: WrittenStatement, page: WrittenPage): Judged;
  /** The objections to statements and labels that do not hold. */
  objections(page: WrittenPage): Fault[];
}

const UNNAMED = "was in a row or column whose name said more than its cells";
const KEPT_APART: ReadonlySet<string> = new Set(["thinking", "chatter", "a definition of a mark"]);

/** `notes`: those on parts of the page that were written before. */
export function draftOf(
  { page, parts, faults }: Written,
  judge: PageVerdicts,
  input: WritersInput,
  material: Material,
  notes: readonly string[] = [],
): Draft {
  const { question, plan, pivot } = input;
  const { assumptions } = plan;
  const sourcesOf = (quoting: readonly Quoting[]): Draft["sources"] =>
    numberedSources(
      quoting.flatMap(({ quotes }) => quotes),
      input.sources,
    );
  const lost: string[] = [];
  const faulty = new Map(faults.map(({ id, text }) => [id, text]));
  const refused = refusedLabels(page, judge, faulty, lost);
  // Cells are left out with the label of their row or column, without which they say nothing.
  const unnamed = new Set(refused.flatMap(({ of, below }) => (of === "column" || of === "row" ? below : [])));
  const statements: Record<string, Statement> = {};
  for (const statement of page.statements.values()) {
    const { statement_id } = statement;
    const fault = faulty.get(statement_id) ?? (unnamed.has(statement_id) ? UNNAMED : undefined);
    const made = fault === undefined ? statementOf(statement, page, judge, material) : fault;
    if (typeof made === "string") lost.push(`A sentence of the writer was left out: it ${withoutAddresses(made)}.`);
    else statements[statement_id] = made;
  }
  const { title } = page;
  const converted: Draft = {
    question,
    title,
    blocks: page.blocks.map((block) => withMarks(block, page, material)),
    statements,
    sources: sourcesOf(Object.values(statements).filter(isQuoting)),
    gaps: shownGaps(material.gaps, statements),
    parts: [],
    ...given({ assumptions }),
    made: { notes: [] },
  };
  const origins = input.sources.map(({ origin }) => origin);
  const kept = without(converted, { labels: new Set(refused.map(({ text }) => text)) }, lost);
  const lacking = new Set(material.gaps.flatMap(({ part_ids }) => part_ids));
  const citations = [...material.citations.values()];
  const answeredBy = (draft: Draft): Draft["parts"] => partsOf(plan, claimsOf(draft), citations, parts, lacking);
  const held = withoutFaults(kept, { origins, answeredBy, lost });
  const taken = takenNote(page);
  const answeredParts = answeredBy(held);
  return {
    ...held,
    gaps: shownGaps(material.gaps, held.statements),
    sources: sourcesOf(quotingOf(held)),
    parts: answeredParts,
    answered: answeredParts.every(({ coverage }) => coverage === 1) ? "yes" : "partly",
    made: {
      notes: [
        ...new Set([
          ...(plan.notes ?? []),
          ...(pivot.notes ?? []),
          ...notes,
          ...lost,
          ...(taken === null ? [] : [taken]),
        ]),
      ],
    },
  };
}

interface Judging {
  origins: readonly string[];
  answeredBy: (draft: Draft) => Draft["parts"];
  /** What is left out, in words. */
  lost: string[];
}

/** Leaves out what gate E would refuse, and what followed from that alone. */
function withoutFaults(draft: Draft, judging: Judging): Draft {
  const { origins, answeredBy, lost } = judging;
  // Which claims answer a part decides how many suggestions may come from them.
  const doubted = withDoubtedConclusions({ ...draft, parts: answeredBy(draft) });
  const page = { ...doubted, ...contradictedApart(doubted) };
  const faults = [...draftFaults(page), ...numberFaults(page), ...addressFaults(page, origins)];
  const ids = new Set(faults.flatMap(({ statement_id }) => statement_id ?? []));
  const labels = new Set(faults.flatMap(({ label }) => label ?? []));
  if (ids.size + labels.size === 0) return page;
  for (const { text } of faults) lost.push(`Left out of what the writer wrote: ${withoutAddresses(text)}.`);
  for (const id of cellsBelow(labels, draft.blocks)) ids.add(id);
  return withoutFaults(without(draft, { ids, labels }, lost), judging);
}

/** The draft without these statements and labels, and without all that depends on them alone. */
function without(
  { title, ...draft }: Draft,
  { ids = new Set(), labels }: { ids?: ReadonlySet<string>; labels: ReadonlySet<string> },
  lost: string[],
): Draft {
  const statements = Object.fromEntries(Object.entries(draft.statements).filter(([id]) => !ids.has(id)));
  dropDangling(statements, draft.blocks, lost);
  const blocks = blocksWith(draft.blocks, {
    ids: (id) => (id in statements ? [id] : []),
    // The label of a row stays while the row has cells, since another row may have the same one.
    label: (text, of) => (of !== "row" && labels.has(text) ? "" : text),
  });
  const shown = blocks.flatMap((block) => (block.kind === "table" ? withoutBareRows(block, labels) : [block]));
  const named = title === undefined || labels.has(title) ? {} : { title };
  return { ...draft, ...named, blocks: withoutEmptyHeadings(shown), statements };
}

/** The table without those rows that have nothing but one of these labels. A table in which nothing is stated goes. */
function withoutBareRows(table: Extract<Block, { kind: "table" }>, labels: ReadonlySet<string>): Block[] {
  const rows = table.rows.filter(
    ([first, ...cells]) => !(isRowLabel(first) && labels.has(first) && cells.every((cell) => typeof cell === "string")),
  );
  return idsIn(table).length === 0 ? [] : [{ ...table, rows }];
}

/** The statement of a report, or the reason why it is left out. */
function statementOf(
  written: WrittenStatement,
  page: WrittenPage,
  judge: PageVerdicts,
  { citations, contexts, named }: Material,
): Statement | string {
  const { statement_id, text, kind, citation_ids, from, gap_ids, expression } = written;
  const quotesOf = (ids: readonly string[]) => ids.flatMap((id) => citations.get(id)?.quote ?? []);
  const { isFraming = false, verdict, method, reason } = judge.verdictOn(written, page);
  const judged = { verdict, method, reason };
  const quotes = quotesOf(citation_ids);
  if (kind === "excerpt") {
    const [quote] = quotes;
    return quote === undefined ? "showed no quote" : quotation(statement_id, quote.text, [quote]);
  }
  if (kind === "gap") {
    const [gap_id = "", ...further_gap_ids] = gap_ids;
    return judged.verdict === "supported"
      ? { statement_id, basis: "gap", text, gap_id, ...(further_gap_ids.length === 0 ? {} : { further_gap_ids }) }
      : `said more than was not found (${judged.reason})`;
  }
  const gapsBeside = gap_ids.length === 0 ? {} : { gap_ids };
  if (kind === "suggested")
    return judged.verdict === "supported"
      ? { statement_id, basis: "suggested", text, quotes, from, ...gapsBeside }
      : `was marked as advice of the writer${inBrackets(judged.reason)}`;
  if (isFraming) return { statement_id, basis: "framing", text };
  if (kind === "unmarked") return `asserted something and named no quote${inBrackets(judged.reason)}`;
  if (kind === "derived") {
    const computed = expression !== undefined && showsResult(text, expression) ? { expression } : {};
    return { statement_id, basis: "derived", text, ...judged, quotes, from, ...gapsBeside, ...computed };
  }
  const own = citation_ids.flatMap((id) => contexts.get(id) ?? []);
  if (isQuotation(written, own)) return quotation(statement_id, text, quotes);
  assert(textsNamedBy(written, page, named).length > 0, "what is cited has a quote");
  const isAgainst = (id: string): boolean => written.against?.includes(id) === true;
  const [one, against] = [
    quotesOf(citation_ids.filter((id) => !isAgainst(id))),
    quotesOf(citation_ids.filter(isAgainst)),
  ];
  const sides = against.length === 0 || one.length === 0 ? {} : { against: one.length };
  const clauses = against.length > 0 ? {} : clausesOf(written, citations);
  return {
    statement_id,
    basis: "cited",
    text,
    ...judged,
    quotes: [...one, ...against],
    ...gapsBeside,
    ...sides,
    ...clauses,
  };
}

/** The clauses with their quotes by number. */
function clausesOf(
  { text, clauses = [], citation_ids }: WrittenStatement,
  citations: Material["citations"],
): Pick<Extract<Statement, { basis: "cited" }>, "clauses"> {
  const known = citation_ids.filter((id) => citations.has(id));
  const own = clauses.flatMap(({ end, citation_ids: ids }) => {
    const quotes = ids.map((id) => known.indexOf(id)).filter((at) => at !== -1);
    return quotes.length === 0 ? [] : [{ end: Buffer.byteLength(text.slice(0, end)), quotes }];
  });
  return own.length === 0 ? {} : { clauses: own };
}

function quotation(statement_id: string, text: string, quotes: Quote[]): Statement {
  return { statement_id, basis: "quoted", text, verdict: "supported", method: "verbatim", quotes };
}

function inBrackets(reason: string | undefined): string {
  return reason === undefined ? "" : ` (${reason})`;
}

/**
 * Removes what followed from sentences that are gone and from nothing else, and the cells of a row whose first cell is gone.
 * Each removal may cause others.
 */
function dropDangling(statements: Record<string, Statement>, blocks: readonly Block[], lost: string[]): void {
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const id of cellsOfNamelessRows(statements, blocks)) {
      isDone = false;
      delete statements[id];
      lost.push("A cell of the writer was left out: the name of its row was left out.");
    }
    for (const statement of Object.values(statements)) {
      if (!("from" in statement)) continue;
      const from = statement.from.filter((id) => id in statements && id !== statement.statement_id);
      if (from.length === statement.from.length) continue;
      isDone = false;
      if (from.length + statement.quotes.length > 0) statements[statement.statement_id] = { ...statement, from };
      else {
        delete statements[statement.statement_id];
        lost.push("A sentence of the writer was left out: what it follows from was left out.");
      }
    }
  }
}

/** The cells of those rows whose first cell is gone. */
function cellsOfNamelessRows(statements: Record<string, Statement>, blocks: readonly Block[]): string[] {
  const rows = blocks.flatMap((block) => (block.kind === "table" ? block.rows : []));
  return rows.flatMap(([name = "", ...cells]) => {
    if (typeof name === "string" || name.every((id) => id in statements)) return [];
    return cells.flatMap((cell) => (typeof cell === "string" ? [] : cell.filter((id) => id in statements)));
  });
}

function cellsBelow(labels: ReadonlySet<string>, blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) =>
    block.kind !== "table"
      ? []
      : block.rows.flatMap((row) =>
          row.flatMap((cell, at) => (typeof cell !== "string" && labels.has(block.columns[at] ?? "") ? cell : [])),
        ),
  );
}

/** An excerpt with the marks that its quote was recorded with. */
function withMarks(block: Block, page: WrittenPage, { citations }: Material): Block {
  if (block.kind !== "excerpt") return block;
  const [id = ""] = page.statements.get(block.statement)?.citation_ids ?? [];
  const { marks = [], lacks } = citations.get(id) ?? {};
  return { ...block, marks, ...(lacks === undefined || lacks.length === 0 ? {} : { lacks }) };
}

/** The labels that say more than what is below them. Each is noted in `lost`. */
function refusedLabels(
  page: WrittenPage,
  judge: PageVerdicts,
  faulty: ReadonlyMap<string, string>,
  lost: string[],
): WrittenLabel[] {
  const objected = new Set(judge.objections(page).map(({ id }) => id));
  const refused = page.labels.filter(({ label_id }) => faulty.has(label_id) || objected.has(label_id));
  for (const text of new Set(refused.map((label) => label.text)))
    lost.push(`A heading of the writer was left out: it said more than was below it (“${text}”).`);
  return refused;
}

function takenNote({ taken }: WrittenPage): string | null {
  const counts = Map.groupBy(
    taken.filter(({ what }) => !KEPT_APART.has(what)),
    ({ what }) => what,
  );
  if (counts.size === 0) return null;
  const removed = [...counts].map(([what, all]) => (all.length === 1 ? what : `${what} (${all.length} times)`));
  return `Taken off the writer's page: ${removed.join(", ")}.`;
}
