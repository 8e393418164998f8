// The material of a writer: each quote with a short id and its context, the gaps, and the notes of the researchers.
import { assert } from "../../kernel/assert.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools, WritersInput } from "../../ports/driver.ts";
import type { Draft } from "../../run/report/report.ts";
import type { Citation, Citations } from "../../run/report/research.ts";
import { withNextSentence } from "../../run/report/next-sentence.ts";
import { spanKey, textUnderHeadings } from "../../run/report/source.ts";
import { inContext, placedInContext, shownContext, type QuoteInContext } from "../verdicts/quote-context.ts";
import { notedBy, notedSince, type Noted } from "./noted-gaps.ts";
import type { Named } from "./page/faults.ts";
import type { IdOfQuote } from "./page/page-text.ts";

/** A task may be this many times as long as the result of a tool. The page that is written needs room, too. */
const RESULTS_OF_TASK = 2;
const LEAST_QUOTE = 80;

/** What a writer may name, by short ids: `c1` for a citation, `g1` for a gap. */
export interface Material extends Noted {
  /** All citations of the run. Their ids follow from what is stored, so that they are the same in each step. */
  citations: ReadonlyMap<string, Citation>;
  contexts: ReadonlyMap<string, QuoteInContext>;
  idOf: IdOfQuote;
  titles: ReadonlyMap<string, string>;
  named: Named;
}

export async function materialOf(
  { question, citations, sources, plan, pivot, summaries, researched = NOTHING }: WritersInput,
  tools: TaskTools,
): Promise<Material> {
  const foundIn = (all: readonly Citations[]) =>
    all.flatMap((one) => one.citations).filter(({ found: stands }) => stands);
  const [before, since] = [foundIn(citations), foundIn(researched.citations)];
  const found = [...before, ...since];
  // Two researchers may have recorded the same quote, which gate E counts once.
  const distinct = [...Map.groupBy(found, ({ quote }) => spanKey(quote)).values()].map(merged);
  const placed = await placedInContext(distinct, sources, tools);
  const own = new Map(placed.citations.map((citation, index) => [`c${index + 1}`, citation]));
  const ids = new Map([...own].map(([id, { quote }]) => [spanKey(quote), id]));
  const longer = await extended([...own], tools);
  // A quote that was recorded as it is keeps its own id.
  for (const [id, { quote }] of longer) if (!ids.has(spanKey(quote))) ids.set(spanKey(quote), id);
  const byId = new Map([...own, ...longer]);
  const contexts = [...placed.contexts, ...(await inContext([...longer.values()], sources, tools))];
  const named = <T>(of: (context: QuoteInContext) => T): Map<string, T> =>
    new Map([...byId.keys()].flatMap((id, at) => contexts.slice(at, at + 1).map((context) => [id, of(context)])));
  const noted = notedSince(notedBy(summaries, plan, pivot, before), plan, {
    notes: researched.notes,
    citations: since,
  });
  return {
    ...noted,
    citations: byId,
    contexts: named((context) => context),
    titles: named(({ title }) => title),
    idOf: (quote) => ids.get(spanKey(quote)) ?? "c0",
    named: {
      question,
      citations: new Map([...byId].map(([id, { quote }]) => [id, quote.text])),
      underHeadings: named(({ quote, title }) => textUnderHeadings(quote, title)),
      gaps: new Map(noted.gaps.map(({ gap_id, text }) => [gap_id, text])),
      origins: sources.map(({ origin }) => origin),
    },
  };
}

const NOTHING = { citations: [], notes: [] };

/** The same citations with the next sentence, by `c3+`, where there is one. */
async function extended(citations: readonly [string, Citation][], tools: TaskTools): Promise<Map<string, Citation>> {
  const longer = new Map<string, Citation>();
  for (const [id, citation] of citations) {
    const quote = withNextSentence(citation.quote, await tools.sourceText(citation.quote.source_digest));
    if (quote !== null) longer.set(`${id}+`, { ...citation, quote });
  }
  return longer;
}

/** The id without its next sentence: `c3` for `c3+`. */
export function recordedId(id: string): string {
  return id.replace(/\+$/u, "");
}

/** The ids of the quotes as they were recorded, without those that a sentence was added to. */
export function recordedIds(citations: ReadonlyMap<string, unknown>): string[] {
  return [...citations.keys()].filter((id) => recordedId(id) === id);
}

function merged(same: readonly Citation[]): Citation {
  const [first, ...others] = same;
  assert(first !== undefined, "a group has a member");
  const supported = same.find(({ statement, verdict }) => statement !== undefined && verdict === "supported") ?? first;
  const part_ids = [...new Set([first, ...others].flatMap((one) => one.part_ids ?? []))];
  return { ...supported, ...(part_ids.length === 0 ? {} : { part_ids }) };
}

/** The material with only these of its citations to name. */
export function withCitations(material: Material, ids: readonly string[]): Material {
  const wanted = new Set(ids);
  const { named } = material;
  return {
    ...material,
    named: { ...named, citations: new Map([...named.citations].filter(([id]) => wanted.has(recordedId(id)))) },
  };
}

/**
 * The task of a writer as data. When it is too long, the sentences beside quotes are left out, then the ends of long quotes.
 * `resultLength`: in characters. `rest`: further fields.
 */
export function fittingTask<R extends object>(
  { question, assignment: { instruction: _advice, ...assignment } = {}, plan }: WritersInput,
  material: Material,
  resultLength: number,
  rest: R,
) {
  const most = resultLength * RESULTS_OF_TASK;
  const head = {
    question,
    ...assignment,
    ...(plan.assumptions === undefined ? {} : { assumptions: plan.assumptions }),
    parts: plan.parts.map(({ id, text }) => ({ part_id: id, text })),
  };
  const foot = {
    gaps: material.gaps.map(({ gap_id, text, reason }) => ({ gap_id, text, reason })),
    notes: material.notes,
    ...rest,
  };
  const citations = shownCitations(material);
  const taskOf = <C extends object>(shown: C[]) => ({ ...head, citations: shown, ...foot });
  const lengthOf = (task: object): number => JSON.stringify(task).length;
  if (lengthOf(taskOf(citations)) <= most) return taskOf(citations);
  const bare = citations.map(({ before: _before, after: _after, plus: _plus, ...one }) => one);
  const length = lengthOf(taskOf(bare));
  if (length <= most) return taskOf(bare);
  const quoted = bare.reduce((sum, { document_text }) => sum + document_text.length, 0);
  const share = Math.max(0, 1 - (length - most) / quoted);
  const cut = (text: string): string => shortened(text, Math.max(LEAST_QUOTE, Math.floor(text.length * share)));
  return taskOf(bare.map((one) => ({ ...one, document_text: cut(one.document_text) })));
}

function shownCitations({ named, citations, contexts }: Material) {
  return recordedIds(named.citations).flatMap((citation_id) => {
    const [citation, context] = [citations.get(citation_id), contexts.get(citation_id)];
    if (citation === undefined || context === undefined) return [];
    const { statement, verdict, reason, part_ids } = citation;
    return {
      citation_id,
      ...shownContext(context),
      ...(citations.has(`${citation_id}+`) ? { plus: true } : {}),
      statement,
      // What it does not support, it stands without.
      verdict: statement === undefined || verdict === "supported" ? undefined : verdict,
      reason,
      part_ids,
    };
  });
}

/** The ids of the quotes that a draft uses. */
export function usedIn({ statements }: Pick<Draft, "statements">, { idOf }: Material): Set<string> {
  const quotes = Object.values(statements).flatMap((one) => ("quotes" in one ? one.quotes : []));
  return new Set(quotes.map((quote) => recordedId(idOf(quote))));
}
