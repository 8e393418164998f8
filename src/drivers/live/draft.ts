// The draft by a model: a page in Markdown with marks becomes a report whose statements are judged.
import { assert } from "../../kernel/assert.ts";
import { shortened } from "../../kernel/shortened.ts";
import { showsResult } from "../../run/claim-numbers.ts";
import { claimsOf, type Block, type Draft, type Statement } from "../../run/report.ts";
import { contradictedApart, withoutEmptyHeadings } from "../../run/contradicted-apart.ts";
import { withDoubtedConclusions } from "../../run/doubted-conclusions.ts";
import { draftFaults } from "../../run/draft-faults.ts";
import { numberFaults } from "../../run/number-faults.ts";
import type { Citation } from "../../run/research.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { partsOf, spanOf } from "./coverage.ts";
import { notedBy, toldGaps, type Noted } from "./noted-gaps.ts";
import { neighboursOf, textsNamedBy, type Named } from "./page-faults.ts";
import { isQuotation, PageJudge } from "./page-judge.ts";
import { pageOfDraft } from "./page-of-draft.ts";
import { pageText } from "./page-text.ts";
import { blockWith } from "./page-revision.ts";
import { draftDemands, system, WRITER, writerAdvice } from "./prompts.ts";
import { placedInContext, shownContext, type QuoteInContext } from "./quote-context.ts";
import type { WrittenLabel, WrittenPage, WrittenStatement } from "./written-page.ts";
import { writePage, type Written } from "./writer-task.ts";

type DraftInput = Tasks["draft"]["input"];

const UNNAMED = "stood in a row or column whose name said more than its cells";
const KEPT_APART: ReadonlySet<string> = new Set(["thinking", "chatter", "a definition of a mark"]);

/** Of what the results of tools may hold: the page that is written needs room, too. */
const RESULTS_OF_TASK = 2;
const LEAST_QUOTE = 80;

/** What the writer may name, by the short ids that it is given. */
interface Material extends Noted {
  citations: ReadonlyMap<string, Citation>;
  contexts: ReadonlyMap<string, QuoteInContext>;
  idOf: (quote: { source_digest: string; start: number; end: number }) => string;
  named: Named;
}

export async function draft(input: DraftInput, tools: TaskTools): Promise<Draft> {
  const { question, limits, previous } = input;
  const material = await materialOf(input, tools);
  const { named, contexts, citations, idOf, gaps } = material;
  const judge = new PageJudge({
    tools,
    question,
    contexts,
    gaps: new Map(gaps.map(({ gap_id, text, reason }) => [gap_id, `${text}: ${reason}`])),
  });
  rememberCitations(judge, material);
  const earlier = previous === null ? null : pageOfDraft(previous, idOf);
  if (previous !== null && earlier !== null) judge.rememberDraft(earlier, previous);
  const written = await writePage(
    {
      system: system(WRITER, draftDemands(limits), writerAdvice(citations.size)),
      user: JSON.stringify(fittingTask(input, material, tools.resultLength * RESULTS_OF_TASK)),
      named,
      titles: new Map([...contexts].map(([id, { title }]) => [id, title])),
      judge,
      previous: earlier,
      problemOf: (page) => tooFewQuotes(page, material, limits.min_citation_use),
    },
    tools,
  );
  await judge.judge(written.page);
  judge.refuseUnjudged(written.page, limits.max_unsupported_share);
  return draftOf(written, judge, input, material);
}

// --- what the writer is given -------------------------------------------------------------------------------------

async function materialOf(
  { question, citations, sources, plan, pivot, summaries }: DraftInput,
  tools: TaskTools,
): Promise<Material> {
  const found = citations.flatMap((checked) => checked.citations).filter((citation) => citation.found);
  // Two researchers may have recorded one quote; gate E counts it once.
  const distinct = [...Map.groupBy(found, ({ quote }) => spanOf(quote)).values()].map(merged);
  const placed = await placedInContext(distinct, sources, tools);
  const ids = new Map(placed.citations.map(({ quote }, index) => [spanOf(quote), `c${index + 1}`]));
  const byId = new Map(placed.citations.map((citation, index) => [`c${index + 1}`, citation]));
  const noted = notedBy(summaries, plan, pivot, found);
  return {
    ...noted,
    citations: byId,
    contexts: new Map(placed.contexts.map((context, index) => [`c${index + 1}`, context])),
    idOf: (quote) => ids.get(spanOf(quote)) ?? "c0",
    named: {
      question,
      citations: new Map([...byId].map(([id, { quote }]) => [id, quote.text])),
      gaps: new Map(noted.gaps.map(({ gap_id, text }) => [gap_id, text])),
    },
  };
}

function merged(same: readonly Citation[]): Citation {
  const [first, ...others] = same;
  assert(first !== undefined, "a group has a member");
  const supported = same.find(({ statement, verdict }) => statement !== undefined && verdict === "supported") ?? first;
  const part_ids = [...new Set([first, ...others].flatMap((one) => one.part_ids ?? []))];
  return { ...supported, ...(part_ids.length === 0 ? {} : { part_ids }) };
}

/** Where it does not fit into what the writer reads at once, neighbours go first, then the ends of long quotes. */
function fittingTask(input: DraftInput, material: Material, most: number): ReturnType<typeof shownTask> {
  const whole = shownTask(input, material);
  const excess = JSON.stringify(whole).length - most;
  if (excess <= 0) return whole;
  const bare = { ...whole, citations: whole.citations.map(({ before: _before, after: _after, ...one }) => one) };
  const rest = JSON.stringify(bare).length;
  if (rest <= most) return bare;
  const quoted = bare.citations.reduce((sum, { document_text }) => sum + document_text.length, 0);
  const share = Math.max(0, 1 - (rest - most) / quoted);
  const cut = (text: string): string => shortened(text, Math.max(LEAST_QUOTE, Math.floor(text.length * share)));
  return { ...bare, citations: bare.citations.map((one) => ({ ...one, document_text: cut(one.document_text) })) };
}

function shownTask(
  { question, plan, directives, previous }: DraftInput,
  { citations, contexts, gaps, notes, idOf }: Material,
) {
  return {
    question,
    parts: plan.parts.map(({ id, text }) => ({ part_id: id, text })),
    citations: [...citations].map(([citation_id, { statement, verdict, reason, part_ids }]) => ({
      citation_id,
      ...shownContext(contexts.get(citation_id) as QuoteInContext),
      ...(statement === undefined ? {} : { statement, verdict }),
      ...(reason === undefined ? {} : { reason }),
      ...(part_ids === undefined ? {} : { part_ids }),
    })),
    gaps: gaps.map(({ gap_id, text, reason }) => ({ gap_id, text, reason })),
    notes,
    ...(previous === null ? {} : { previous_page: pageText(previous, idOf), remarks: directives }),
  };
}

/** What the check of the citations judged already, by the same words and quote. */
function rememberCitations(judge: PageJudge, { citations }: Material): void {
  for (const [id, { statement, verdict, method }] of citations)
    if (statement !== undefined && verdict === "supported" && method !== "verbatim")
      judge.rememberCited(statement, id, { verdict, method });
}

function tooFewQuotes({ statements }: WrittenPage, { citations }: Material, least: number): string | null {
  const used = new Set(
    [...statements.values()].flatMap(({ citation_ids }) => citation_ids.filter((id) => citations.has(id))),
  );
  if (citations.size === 0 || used.size / citations.size >= least) return null;
  return `uses ${used.size} of ${citations.size} quotes, at least ${Math.round(least * 100)} % have to be`;
}

// --- the report ---------------------------------------------------------------------------------------------------

function draftOf({ page, parts, faults }: Written, judge: PageJudge, input: DraftInput, material: Material): Draft {
  const { question, plan, pivot } = input;
  const lost: string[] = [];
  const faulty = new Map(faults.map(({ id, text }) => [id, text]));
  const refused = refusedLabels(page, judge, faulty, lost);
  // A cell says nothing without its row and column.
  const unnamed = new Set(refused.flatMap(({ below, isOfTable }) => (isOfTable === true ? below : [])));
  const statements: Record<string, Statement> = {};
  for (const statement of page.statements.values()) {
    const { statement_id } = statement;
    const fault = faulty.get(statement_id) ?? (unnamed.has(statement_id) ? UNNAMED : undefined);
    const made = fault === undefined ? statementOf(statement, page, judge, material) : fault;
    if (typeof made === "string") lost.push(`A sentence of the writer was left out: it ${made}.`);
    else statements[statement_id] = made;
  }
  dropDangling(statements, lost);
  const shown = page.blocks.flatMap((block) =>
    blockWith(withMarks(block, page, material), (id) => (id in statements ? [id] : [])),
  );
  const texts = new Set(refused.map(({ text }) => text));
  const { title } = page;
  const made: Draft = {
    question,
    ...(title === undefined || texts.has(title) ? {} : { title }),
    blocks: withoutEmptyHeadings(withoutLabels(shown, texts)),
    statements,
    sources: [],
    gaps: toldGaps(material.gaps, statements),
    parts: [],
    made: { notes: [] },
  };
  const held = withoutFaults(made, lost);
  const claims = claimsOf(held);
  const taken = takenNote(page);
  return {
    ...held,
    gaps: toldGaps(material.gaps, held.statements),
    sources: sourcesOf(claims, input.sources),
    parts: partsOf(plan, claims, [...material.citations.values()], parts),
    made: { notes: [...(pivot.notes ?? []), ...lost, ...(taken === null ? [] : [taken])] },
  };
}

/** What gate E would refuse is left out, and what followed from it alone. */
function withoutFaults(draft: Draft, lost: string[]): Draft {
  const doubted = withDoubtedConclusions(draft);
  const page = { ...doubted, ...contradictedApart(doubted) };
  const faults = [...draftFaults(page), ...numberFaults(page)];
  const ids = new Set(faults.flatMap(({ statement_id }) => statement_id ?? []));
  const labels = new Set(faults.flatMap(({ label }) => label ?? []));
  if (ids.size + labels.size === 0) return page;
  for (const { text } of faults) lost.push(`Left out of what the writer wrote: ${text}.`);
  const statements = Object.fromEntries(Object.entries(draft.statements).filter(([id]) => !ids.has(id)));
  dropDangling(statements, lost);
  const shown = draft.blocks.flatMap((block) => blockWith(block, (id) => (id in statements ? [id] : [])));
  const blocks = withoutEmptyHeadings(withoutLabels(shown, labels));
  const { title, ...rest } = draft;
  const kept = title === undefined || labels.has(title) ? rest : { ...rest, title };
  return withoutFaults({ ...kept, blocks, statements }, lost);
}

/** The statement of a report, or why it has no place there. */
function statementOf(
  written: WrittenStatement,
  page: WrittenPage,
  judge: PageJudge,
  { citations, contexts, named }: Material,
): Statement | string {
  const { statement_id, text, kind, citation_ids, from, gap_ids, expression } = written;
  const quotesOf = (ids: readonly string[]) => ids.flatMap((id) => citations.get(id)?.quote ?? []);
  const { isFraming = false, ...judged } = judge.verdictOn(written, page);
  const quotes = quotesOf(citation_ids);
  if (kind === "excerpt") {
    const [quote] = quotes;
    if (quote === undefined) return "showed no quote";
    return {
      statement_id,
      basis: "quoted",
      text: quote.text,
      verdict: "supported",
      method: "verbatim",
      quotes: [quote],
    };
  }
  if (kind === "gap") {
    const [gap_id = ""] = gap_ids;
    return judged.verdict === "supported"
      ? { statement_id, basis: "gap", text, gap_id }
      : `said more than was not found (${judged.reason})`;
  }
  if (isFraming) return { statement_id, basis: "framing", text };
  if (kind === "unmarked") {
    const near = quotesOf(neighboursOf(statement_id, page));
    return near.length === 0
      ? `asserted something and named no quote (${judged.reason ?? "nothing stands beside it"})`
      : { statement_id, basis: "cited", text, ...judged, quotes: near };
  }
  if (kind === "derived") {
    const computed = expression !== undefined && showsResult(text, expression) ? { expression } : {};
    return { statement_id, basis: "derived", text, ...judged, quotes, from, ...computed };
  }
  const own = citation_ids.flatMap((id) => contexts.get(id) ?? []);
  if (isQuotation(written, own))
    return { statement_id, basis: "quoted", text, verdict: "supported", method: "verbatim", quotes };
  assert(textsNamedBy(written, page, named).length > 0, "what is cited has a quote");
  return { statement_id, basis: "cited", text, ...judged, quotes };
}

/** What followed from a sentence that is gone, and from nothing else, goes with it. */
function dropDangling(statements: Record<string, Statement>, lost: string[]): void {
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const statement of Object.values(statements)) {
      if (statement.basis !== "derived") continue;
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

/** The sentences of an excerpt that matter, as the quote was recorded with them. */
function withMarks(block: Block, page: WrittenPage, { citations }: Material): Block {
  if (block.kind !== "excerpt") return block;
  const [id = ""] = page.statements.get(block.statement)?.citation_ids ?? [];
  const { marks = [], lacks } = citations.get(id) ?? {};
  return { ...block, marks, ...(lacks === undefined || lacks.length === 0 ? {} : { lacks }) };
}

/** Labels that say more than stands below them. */
function refusedLabels(
  page: WrittenPage,
  judge: PageJudge,
  faulty: ReadonlyMap<string, string>,
  lost: string[],
): WrittenLabel[] {
  const objected = new Set(judge.objections(page).map(({ id }) => id));
  const refused = page.labels.filter(({ label_id }) => faulty.has(label_id) || objected.has(label_id));
  for (const text of new Set(refused.map((label) => label.text)))
    lost.push(`A heading of the writer was left out: it said more than stood below it (“${text}”).`);
  return refused;
}

/** The first heading is then called by its role. */
function withoutLabels(blocks: readonly Block[], texts: ReadonlySet<string>): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "heading" && texts.has(block.text))
      return block.role === "answer" ? [{ ...block, text: "Answer" }] : [];
    if (block.kind === "paragraph" && block.lead !== undefined && texts.has(block.lead)) return [withoutLead(block)];
    if (block.kind === "table")
      return [{ ...block, columns: block.columns.map((text) => (texts.has(text) ? "" : text)) }];
    if (block.kind !== "list") return [block];
    return [
      {
        ...block,
        items: block.items.map((item) => (item.lead !== undefined && texts.has(item.lead) ? withoutLead(item) : item)),
      },
    ];
  });
}

function withoutLead<R extends { lead?: string | undefined }>({ lead: _left, ...rest }: R): Omit<R, "lead"> {
  return rest;
}

function takenNote({ taken }: WrittenPage): string | null {
  const counts = Map.groupBy(
    taken.filter(({ what }) => !KEPT_APART.has(what)),
    ({ what }) => what,
  );
  if (counts.size === 0) return null;
  const told = [...counts].map(([what, all]) => (all.length === 1 ? what : `${what} (${all.length} times)`));
  return `Of the writer's page this was taken off: ${told.join(", ")}.`;
}

function sourcesOf(claims: ReturnType<typeof claimsOf>, stored: DraftInput["sources"]): Draft["sources"] {
  const known = new Map(stored.map((source) => [source.source_digest, source]));
  const used = new Set(claims.flatMap(({ quotes }) => quotes.map((quote) => quote.source_digest)));
  return [...used].map((source_digest, index) => {
    const source = known.get(source_digest);
    assert(source !== undefined, "every quoted source is among the sources of the run");
    return { number: index + 1, source_digest, title: source.title, origin: source.origin };
  });
}
