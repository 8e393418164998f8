// The base of the tools of a researcher: what they work with, their answers, their limit of requests, and reading a document.
import { RunError, type ErrorCode, isFault } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools, Tool, ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/model/conversation.ts";
import type { QuestionPart } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { objectTool, type ObjectTool } from "../asking/object-tool.ts";
import { asKnown } from "../asking/read-answer.ts";
import { documentOf, ResearchState, type Left, type Opened } from "./research-state.ts";

export interface Reading {
  tools: TaskTools;
  /** The conversation so far. */
  messages: () => readonly Message[];
  parts: readonly QuestionPart[];
  limits: Limits;
}

// --- answers ------------------------------------------------------------------------------------------------------

/** `shown`: what the model reads. `left`: what `ResearchState` reads later. */
export function answered(shown: unknown, left: Left = {}): ToolAnswer {
  return { content: JSON.stringify(shown), is_error: false, state: left };
}

export function refused(content: string, left?: Left): ToolAnswer {
  return { content, is_error: true, ...(left === undefined ? {} : { state: left }) };
}

/** The reason is in a field of data, since it may hold words of a server or a document. */
export function unreached(reason: string): ToolAnswer {
  return refused(JSON.stringify({ unreached: true, reason }), { unreached: reason });
}

/** A step in which nothing answered is given up after this many searches. */
const MAX_UNREACHED = 3;
const UNREACHED: ReadonlySet<ErrorCode> = new Set(["PROVIDER_FAILED", "QUOTA_EXCEEDED"]);

/**
 * Lets the model know that a provider did not answer. While nothing has answered yet, it throws: at once when the provider says when
 * to try again, so that the run waits, and else after a few searches. Errors: `QUOTA_EXCEEDED`, `PROVIDER_FAILED`.
 */
export async function unlessUnreached<T>(state: ResearchState, work: () => Promise<T>): Promise<T | ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RunError) || !UNREACHED.has(error.code)) throw error;
    const { reason = error.code } = error.facts;
    if (state.wasAnswered) return unreached(reason);
    if (isFault(error, "QUOTA_EXCEEDED") && error.facts.retry_at !== undefined) throw error;
    const unanswered = [...state.unreached(), reason];
    if (unanswered.length >= MAX_UNREACHED) throw unansweredSearches(unanswered);
    return unreached(reason);
  }
}

export function unansweredSearches(reasons: readonly string[]): RunError {
  const reason = shortened(`no search was answered: ${[...new Set(reasons)].join("; ")}`, 1_000);
  return new RunError("PROVIDER_FAILED", { reason, searches: reasons.length, retryable: false });
}

// --- requests -----------------------------------------------------------------------------------------------------

const REQUESTS_BESIDE = 12;
const REQUESTS_PER_QUOTE = 4;

/** The limit of searches and openings of one conversation together, which is far more than its quotes need. */
export function requestsAllowed({ max_quotes_per_subject }: Limits): number {
  return REQUESTS_BESIDE + REQUESTS_PER_QUOTE * max_quotes_per_subject;
}

/** A tool that searches or opens something. Beyond the limit it only says so. */
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
      return refused(
        `No more searches and openings in this step: ${allowed} were allowed. Record quotes of what you have read, and submit.`,
      );
    },
  });
}

// --- documents ----------------------------------------------------------------------------------------------------

/** A stored source with its text. `at`: the byte at which the named passage begins. */
export interface ReadSource extends Opened {
  text: Uint8Array;
  at: number;
}

/** True when the document of that name may be read and stored twice. A name that no search gave reads nothing. */
export async function isSafeToRead({ tools, messages }: Reading, name: string): Promise<boolean> {
  const state = new ResearchState(messages());
  const known = state.passages();
  const { origin, name: own = name } = known.get(asKnown(known.keys())(name)) ?? {};
  const isStored = state.opened().has(documentOf(own));
  return isStored || origin === undefined || ((await tools.isRepeatable?.(origin)) ?? true);
}

/** Reads a document by the name that a search gave it. At first it is stored as a source of the run. */
export async function readSource({ tools, messages }: Reading, name: string): Promise<ReadSource | ToolAnswer> {
  const state = new ResearchState(messages());
  const passages = state.passages();
  const passage = passages.get(asKnown(passages.keys())(name));
  if (passage === undefined) return refused(`No search has named a document ${JSON.stringify(shortened(name, 100))}.`);
  const document = documentOf(passage.name);
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
