// Shared by the tools of a researcher: what they work with, how many requests they may make, how a document is read, and
// what they answer.
import { RunError, type ErrorCode } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools, Tool, ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/conversation.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { objectTool, type ObjectTool } from "./object-tool.ts";
import { documentOf, ResearchState, type Left, type Opened } from "./research-state.ts";

export interface Reading {
  tools: TaskTools;
  /** The conversation so far. */
  messages: () => readonly Message[];
  parts: readonly QuestionPart[];
  limits: Limits;
}

// --- answers ------------------------------------------------------------------------------------------------------

/** The model is told `shown`; `left` is read back later. */
export function answered(shown: unknown, left: Left = {}): ToolAnswer {
  return { content: JSON.stringify(shown), is_error: false, state: left };
}

export function refused(content: string, left?: Left): ToolAnswer {
  return { content, is_error: true, ...(left === undefined ? {} : { state: left }) };
}

/** Words of a server or a document stand in a field of data. */
export function unreached(reason: string): ToolAnswer {
  return refused(JSON.stringify({ unreached: true, reason }), { unreached: reason });
}

/** Searches of a step that nothing has answered, and then the step is given up. */
const MAX_UNREACHED = 3;
const UNREACHED: ReadonlySet<ErrorCode> = new Set(["PROVIDER_FAILED", "QUOTA_EXCEEDED"]);

/**
 * What does not answer is told to the model. While nothing has answered at all, one that says when it will is waited
 * for, and others are not asked for ever.
 */
export async function unlessUnreached<T>(state: ResearchState, work: () => Promise<T>): Promise<T | ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RunError) || !UNREACHED.has(error.code)) throw error;
    const { reason, retry_at } = error.facts;
    if (state.wasAnswered) return unreached(String(reason));
    if (error.code === "QUOTA_EXCEEDED" && retry_at !== undefined) throw error;
    const unanswered = [...state.unreached(), String(reason)];
    if (unanswered.length >= MAX_UNREACHED) throw unansweredSearches(unanswered);
    return unreached(String(reason));
  }
}

export function unansweredSearches(reasons: readonly string[]): RunError {
  const reason = shortened(`no search was answered: ${[...new Set(reasons)].join("; ")}`, 1_000);
  return new RunError("PROVIDER_FAILED", { reason, searches: reasons.length, retryable: false });
}

// --- requests -----------------------------------------------------------------------------------------------------

const REQUESTS_BESIDE = 12;
const REQUESTS_PER_QUOTE = 4;
/** Asked for beyond what is allowed, and then the attempt has failed. */
const MAX_OVER_LIMIT = 8;
export const TOO_MANY_SEARCHES = "too_many_searches";

/** Searches and openings of one conversation together: far more than its quotes need. */
export function requestsAllowed({ max_quotes_per_subject }: Limits): number {
  return REQUESTS_BESIDE + REQUESTS_PER_QUOTE * max_quotes_per_subject;
}

/** A tool that searches or opens something. Beyond what is allowed it says so instead. */
export function requestTool<T>(
  { messages, limits }: Reading,
  tool: Omit<ObjectTool<T>, "run"> & { run: (value: T, state: ResearchState) => Promise<ToolAnswer> },
): Tool {
  const allowed = requestsAllowed(limits);
  return objectTool({
    ...tool,
    async run(value) {
      const state = new ResearchState(messages());
      if (state.requests < allowed) return await tool.run(value, state);
      const over_limit = `No more searches and openings in this step: ${allowed} were allowed. Record quotes of what you have read, and hand the result in.`;
      return refused(over_limit, { over_limit });
    },
  });
}

/** Of a model that goes on to search after it was told so again and again; null for any other. */
export function failureBySearching(messages: readonly Message[]): RunError | null {
  const told = new ResearchState(messages).overLimit();
  if (told.length < MAX_OVER_LIMIT) return null;
  const reason = `the model did not stop when it was told: ${told[0]}`;
  return new RunError("MODEL_FAILED", { reason, kind: TOO_MANY_SEARCHES, retryable: false });
}

// --- documents ----------------------------------------------------------------------------------------------------

/** A stored source, and its text; `at`: the byte at which the named passage stands. */
export interface ReadSource extends Opened {
  text: Uint8Array;
  at: number;
}

/** Whether storing the document of that name may be done twice; one that no search named starts no tool. */
export async function isSafeToRead({ tools, messages }: Reading, name: string): Promise<boolean> {
  const state = new ResearchState(messages());
  const origin = state.passages().get(name)?.origin;
  const isStored = state.opened().has(documentOf(name));
  return isStored || origin === undefined || ((await tools.isRepeatable?.(origin)) ?? true);
}

/** Reads a document by the name that a search gave it; what is read for the first time is stored as a source of the run. */
export async function readSource({ tools, messages }: Reading, name: string): Promise<ReadSource | ToolAnswer> {
  const state = new ResearchState(messages());
  const passage = state.passages().get(name);
  if (passage === undefined) return refused(`No search has named a document ${JSON.stringify(shortened(name, 100))}.`);
  const document = documentOf(name);
  const known = state.opened().get(document);
  if (known !== undefined) return { ...known, text: await tools.sourceText(known.source_digest), at: passage.start };
  const kept = await unlessUnreached(state, () => tools.keep(passage));
  if ("is_error" in kept) return kept;
  if (kept.kind === "changed") return unreached("the document has changed since it was searched");
  if (kept.kind === "gone") return unreached(`the document cannot be read: ${kept.reason}`);
  const { source_digest, title, origin, media_type } = kept.source;
  return { document, source_digest, title, origin, media_type, text: kept.text, at: passage.start };
}

export function openedOf({ text: _text, at: _at, ...opened }: ReadSource): Opened {
  return opened;
}
