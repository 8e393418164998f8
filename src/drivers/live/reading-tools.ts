// What a researcher may do: search, open a document, record an exact quote of it, and note what is missing.
import { RunError, type ErrorCode } from "../../kernel/errors.ts";
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools, Tool, ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/conversation.ts";
import { subjectIdSchema, type QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { saysSomething } from "../../run/source.ts";
import { nearestSpan, spanOf } from "./exact-span.ts";
import { objectTool } from "./object-tool.ts";
import { Shelf, spanKey, type Quoted } from "./shelf.ts";

/** Characters of a document that one call shows. */
const SLICE_LENGTH = 8_000;
const MAX_PASSAGE_LENGTH = 1_200;
/** What stands around the text of a passage: names, digest, places. */
const PASSAGE_FRAME_LENGTH = 300;
const LEAST_PASSAGE_LENGTH = 120;
const MAX_NEAREST_LENGTH = 600;

export interface ReadingOptions {
  tools: TaskTools;
  /** The conversation so far. */
  messages: () => readonly Message[];
  parts: readonly QuestionPart[];
  limits: Limits;
}

export function readingTools(options: ReadingOptions): Tool[] {
  return [searchTool(options), openTool(options), quoteTool(options), gapTool(options)];
}

const LOOKS_BESIDE = 12;
const LOOKS_PER_QUOTE = 4;
/** Asked for beyond what is allowed, and then the attempt has failed. */
const MAX_REFUSED_LOOKS = 8;

/** Searches and openings of one conversation together: far more than its quotes need. */
function looksAllowed({ max_quotes_per_subject }: Limits): number {
  return LOOKS_BESIDE + LOOKS_PER_QUOTE * max_quotes_per_subject;
}

/** Told instead of a look; null while there may be one more. */
function noMoreLooks(shelf: Shelf, limits: Limits): ToolAnswer | null {
  const allowed = looksAllowed(limits);
  if (shelf.looks < allowed) return null;
  const no_more_looks = `No more searches and openings in this step: ${allowed} were allowed. Record quotes of what is open, and hand the result in.`;
  return refused(JSON.stringify({ no_more_looks }));
}

export const TOO_MANY_SEARCHES = "too_many_searches";

/** A model that goes on to search after it was told so again and again; null for any other. */
export function restless(messages: readonly Message[]): RunError | null {
  const told = new Shelf(messages).refusedLooks();
  if (told.length < MAX_REFUSED_LOOKS) return null;
  const reason = `the model did not stop when it was told: ${told[0]}`;
  return new RunError("MODEL_FAILED", { reason, kind: TOO_MANY_SEARCHES, retryable: false });
}

function searchTool({ tools, messages, limits }: ReadingOptions): Tool {
  return objectTool({
    name: "search",
    description: `Searches the documents. Gives passages, each with a name for its document: d1, d2 and so on. At most ${looksAllowed(limits)} searches and openings in all.`,
    schema: z.object({ query: z.string().min(1).max(400) }),
    isSafe: async () => (await tools.isRepeatable?.()) ?? true,
    async run({ query }) {
      const shelf = new Shelf(messages());
      const over = noMoreLooks(shelf, limits);
      if (over !== null) return over;
      tools.say(`searching: ${query}`);
      const passages = await unlessUnreached(shelf, () => tools.search(query, limits.results_per_query));
      if (!Array.isArray(passages)) return passages;
      const share = Math.floor(tools.resultLength / Math.max(1, passages.length)) - PASSAGE_FRAME_LENGTH;
      const length = Math.max(LEAST_PASSAGE_LENGTH, Math.min(MAX_PASSAGE_LENGTH, share));
      const known = [...shelf.documents()];
      const names = new Map(
        known.map(([name, { origin, document_digest }]) => [`${origin}\0${document_digest}`, name]),
      );
      const found = passages.map(({ text, ...passage }) => {
        const key = `${passage.origin}\0${passage.document_digest}`;
        const document = names.get(key) ?? `d${names.size + 1}`;
        names.set(key, document);
        return { document, ...passage, document_text: shortened(text, length) };
      });
      return told({ found });
    },
  });
}

function openTool({ tools, messages, limits }: ReadingOptions): Tool {
  return objectTool({
    name: "open",
    description: `Stores a document that a search named, and shows up to ${SLICE_LENGTH} characters of it from \`from\` on. Gives the name of the source to quote from: s1, s2 and so on.`,
    schema: z.object({ document: z.string(), from: z.number().int().min(0).optional() }),
    async isSafe({ document }) {
      const origin = new Shelf(messages()).documents().get(document)?.origin;
      // A document that no search named starts no tool.
      return origin === undefined || ((await tools.isRepeatable?.(origin)) ?? true);
    },
    async run({ document, from = 0 }) {
      const shelf = new Shelf(messages());
      const passage = shelf.documents().get(document);
      if (passage === undefined) return refused(`no search has named a document ${document}`);
      const over = noMoreLooks(shelf, limits);
      if (over !== null) return over;
      tools.say(`reading ${passage.origin}`);
      const kept = await unlessUnreached(shelf, () => tools.keep(passage));
      if ("is_error" in kept) return kept;
      if (kept.kind === "changed") return unreached("the document has changed since it was searched");
      if (kept.kind === "gone") return unreached(`the document cannot be read: ${kept.reason}`);
      const { source_digest, title, origin } = kept.source;
      const sources = [...shelf.sources().values()];
      const source =
        sources.find((known) => known.source_digest === source_digest)?.source ??
        `s${new Set(sources.map((known) => known.source)).size + 1}`;
      const text = new TextDecoder().decode(kept.text);
      const to = Math.min(text.length, from + Math.min(SLICE_LENGTH, tools.resultLength));
      const shown = { from, to, length: text.length, document_text: text.slice(from, to).toWellFormed() };
      return told({ opened: { source, source_digest, title, origin, ...shown } });
    },
  });
}

const quoteArgumentsSchema = z.object({
  source: z.string(),
  text: z.string().min(1).max(2_000),
  statement: z.string().min(1).max(600),
  part_ids: z.array(subjectIdSchema).min(1),
});

function quoteTool({ tools, messages, parts, limits }: ReadingOptions): Tool {
  const known = parts.map(({ id }) => id);
  return objectTool({
    name: "quote",
    description:
      "Records an exact quote of an opened source, character for character, with the statement that it supports and the ids of the parts of the question that it answers. What is not recorded does not reach the report.",
    schema: quoteArgumentsSchema,
    isSafe: () => true,
    async run({ source, text, statement, part_ids }) {
      const shelf = new Shelf(messages());
      const opened = shelf.sources().get(source);
      if (opened === undefined) return refused(`no document was opened as ${source}`);
      const unknown = part_ids.find((id) => !known.includes(id));
      if (unknown !== undefined) return refused(`there is no part ${unknown}; there are: ${known.join(", ")}`);
      if (!saysSomething({ text })) return refused("The quote is too short to say anything: quote a whole sentence.");
      const bytes = await tools.sourceText(opened.source_digest);
      const span = spanOf(bytes, text);
      if (span === null) return refused(missing(new TextDecoder().decode(bytes), text));
      const { source_digest, title, origin } = opened;
      const quoted: Quoted = { source_digest, title, origin, ...span, text, statement, part_ids };
      const recorded = shelf.quotes();
      const same = recorded.find((one) => spanKey(one) === spanKey(quoted));
      if (same?.statement === statement) return refused(`This quote is recorded already. ${WHAT_NEXT}`);
      const all = [...recorded.filter((one) => one !== same), quoted];
      const full = limitReached(all, limits);
      if (full !== null) return refused(`${full}. ${WHAT_NEXT}`);
      return told({ quoted, recorded: `${all.length} of at most ${limits.max_quotes_per_subject} quotes` });
    },
  });
}

const WHAT_NEXT = "Hand the result in, or record something else.";

function missing(source: string, text: string): string {
  const nearest = nearestSpan(source, text);
  return nearest === null
    ? "This text does not stand in the source."
    : `This text does not stand in the source character for character. The nearest there is: ${JSON.stringify(shortened(nearest, MAX_NEAREST_LENGTH))}`;
}

/** Why one quote more is too many; gate B holds findings to the same limits. */
function limitReached(quotes: readonly Quoted[], limits: Limits): string | null {
  const words = quotes.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const sources = new Set(quotes.map(({ source_digest }) => source_digest)).size;
  if (quotes.length > limits.max_quotes_per_subject) return `at most ${limits.max_quotes_per_subject} quotes are kept`;
  if (words > limits.max_words_per_subject) return `at most ${limits.max_words_per_subject} words are quoted`;
  if (sources > limits.max_sources_per_subject) return `at most ${limits.max_sources_per_subject} sources are used`;
  return null;
}

const MAX_NOTED_GAPS = 20;

function gapTool({ messages }: ReadingOptions): Tool {
  return objectTool({
    name: "note_gap",
    description: "Notes something that was looked for and not found.",
    schema: z.object({ text: z.string().min(1).max(400), reason: z.string().min(1).max(400) }),
    isSafe: () => true,
    run: async (gap) =>
      new Shelf(messages()).gaps().length < MAX_NOTED_GAPS
        ? told({ gap })
        : refused(`at most ${MAX_NOTED_GAPS} gaps are noted`),
  });
}

/** Searches of a step that nothing has answered, and then the step is given up. */
const MAX_UNREACHED = 3;

/**
 * What does not answer is told to the model. While nothing has answered at all, one that says when it will is waited
 * for, and others are not asked for ever.
 */
async function unlessUnreached<T>(shelf: Shelf, work: () => Promise<T>): Promise<T | ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RunError) || !UNREACHED.has(error.code)) throw error;
    const { reason, retry_at } = error.facts;
    if (shelf.wasAnswered) return unreached(String(reason));
    if (error.code === "QUOTA_EXCEEDED" && retry_at !== undefined) throw error;
    const unanswered = [...shelf.unreached(), String(reason)];
    if (unanswered.length >= MAX_UNREACHED) throw unansweredSearches(unanswered);
    return unreached(String(reason));
  }
}

export function unansweredSearches(unreached: readonly string[]): RunError {
  const reason = shortened(`no search was answered: ${[...new Set(unreached)].join("; ")}`, 1_000);
  return new RunError("PROVIDER_FAILED", { reason, searches: unreached.length, retryable: false });
}

const UNREACHED: ReadonlySet<ErrorCode> = new Set(["PROVIDER_FAILED", "QUOTA_EXCEEDED"]);

function told(value: unknown): ToolAnswer {
  return { content: JSON.stringify(value), is_error: false };
}

function unreached(reason: string): ToolAnswer {
  return refused(JSON.stringify({ unreached: reason }));
}

function refused(content: string): ToolAnswer {
  return { content, is_error: true };
}
