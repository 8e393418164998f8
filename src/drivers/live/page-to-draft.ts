// The draft of a written page: its statements with what each rests on and its verdict, without what gate E would refuse.
import { assert } from "../../kernel/assert.ts";
import type { WritersInput } from "../../ports/driver.ts";
import { showsResult } from "../../run/claim-numbers.ts";
import { contradictedApart, withoutEmptyHeadings } from "../../run/contradicted-apart.ts";
import { withDoubtedConclusions } from "../../run/doubted-conclusions.ts";
import { draftFaults } from "../../run/draft-faults.ts";
import { numberFaults } from "../../run/number-faults.ts";
import { claimsOf, type Block, type Draft, type Statement } from "../../run/report.ts";
import { partsOf } from "./coverage.ts";
import { toldGaps } from "./noted-gaps.ts";
import { faultsOf, neighboursOf, textsNamedBy, WHOLE_PAGE } from "./page-faults.ts";
import { isQuotation, type PageJudge } from "./page-judge.ts";
import { blockWith } from "./page-revision.ts";
import { labelsOf, type WrittenLabel, type WrittenPage, type WrittenStatement } from "./written-page.ts";
import type { Material } from "./writer-material.ts";
import type { Written } from "./writer-task.ts";

const UNNAMED = "stood in a row or column whose name said more than its cells";
const KEPT_APART: ReadonlySet<string> = new Set(["thinking", "chatter", "a definition of a mark"]);

/**
 * The draft, of which all is judged as it stands there: what is left out bears nothing out any more. `notes`: what is to be
 * said of parts of the page that were written before.
 */
export async function judgedDraft(
  written: Written,
  judge: PageJudge,
  input: WritersInput,
  material: Material,
  notes: readonly string[] = [],
): Promise<Draft> {
  let [now, told] = [written, notes];
  // Each round has fewer statements than the one before.
  for (;;) {
    await judge.judge(now.page);
    judge.refuseUnjudged(now.page, input.limits.max_unsupported_share);
    const draft = draftOf(now, judge, input, material, told);
    const page = withoutLost(now.page, draft);
    if (page.statements.size === now.page.statements.size) return draft;
    const left = faultsOf(page, material.named).filter(({ id }) => id !== WHOLE_PAGE);
    now = { page, parts: written.parts, faults: left };
    told = draft.made.notes;
  }
}

function withoutLost(page: WrittenPage, { statements: left }: Draft): WrittenPage {
  const isLeft = (id: string): boolean => id in left;
  const kept = [...page.statements.values()].filter(({ statement_id }) => isLeft(statement_id));
  const statements = new Map(kept.map((one) => [one.statement_id, { ...one, from: one.from.filter(isLeft) }]));
  const shown = page.blocks.flatMap((block) => blockWith(block, (id) => (isLeft(id) ? [id] : [])));
  const blocks = withoutEmptyHeadings(shown);
  return { ...page, blocks, statements, labels: labelsOf(blocks, page.title) };
}

/** As far as it is judged; `judgedDraft` judges the rest. */
export function draftOf(
  { page, parts, faults }: Written,
  judge: PageJudge,
  input: WritersInput,
  material: Material,
  notes: readonly string[] = [],
): Draft {
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
  dropDangling(statements, page.blocks, lost);
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
    sources: sourcesOf(claimsOf({ blocks: shown, statements }), input.sources),
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
    made: { notes: [...new Set([...(pivot.notes ?? []), ...notes, ...lost, ...(taken === null ? [] : [taken])])] },
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
  for (const id of cellsBelow(labels, draft.blocks)) ids.add(id);
  const statements = Object.fromEntries(Object.entries(draft.statements).filter(([id]) => !ids.has(id)));
  dropDangling(statements, draft.blocks, lost);
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
    const [gap_id = "", ...further_gap_ids] = gap_ids;
    return judged.verdict === "supported"
      ? { statement_id, basis: "gap", text, gap_id, ...(further_gap_ids.length === 0 ? {} : { further_gap_ids }) }
      : `said more than was not found (${judged.reason})`;
  }
  if (isFraming) return { statement_id, basis: "framing", text };
  const gapsBeside = gap_ids.length === 0 ? {} : { gap_ids };
  if (kind === "unmarked") {
    const near = quotesOf(neighboursOf(statement_id, page));
    return near.length === 0
      ? `asserted something and named no quote (${judged.reason ?? "nothing stands beside it"})`
      : { statement_id, basis: "cited", text, ...judged, quotes: near };
  }
  if (kind === "derived") {
    const computed = expression !== undefined && showsResult(text, expression) ? { expression } : {};
    return { statement_id, basis: "derived", text, ...judged, quotes, from, ...gapsBeside, ...computed };
  }
  const own = citation_ids.flatMap((id) => contexts.get(id) ?? []);
  if (isQuotation(written, own))
    return { statement_id, basis: "quoted", text, verdict: "supported", method: "verbatim", quotes };
  assert(textsNamedBy(written, page, named).length > 0, "what is cited has a quote");
  return { statement_id, basis: "cited", text, ...judged, quotes, ...gapsBeside };
}

/**
 * What followed from a sentence that is gone, and from nothing else, goes with it, as the cells of a row do with its name.
 * What is left of the page is judged again.
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

/** Those that are there, of rows whose name is not. */
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

function withoutLabels(blocks: readonly Block[], texts: ReadonlySet<string>): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "heading" && texts.has(block.text)) return [];
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

function sourcesOf(claims: ReturnType<typeof claimsOf>, stored: WritersInput["sources"]): Draft["sources"] {
  const known = new Map(stored.map((source) => [source.source_digest, source]));
  const used = new Set(claims.flatMap(({ quotes }) => quotes.map((quote) => quote.source_digest)));
  return [...used].map((source_digest, index) => {
    const source = known.get(source_digest);
    assert(source !== undefined, "every quoted source is among the sources of the run");
    return { number: index + 1, source_digest, title: source.title, origin: source.origin };
  });
}
