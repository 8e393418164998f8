// What tools answer: a result, a refusal, or that nothing answered; each with what the driver reads back of it.
import { RunError, type ErrorCode } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { ToolAnswer } from "../../ports/driver.ts";
import type { Left, ResearchState } from "./research-state.ts";

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

const UNREACHED: ReadonlySet<ErrorCode> = new Set(["PROVIDER_FAILED", "QUOTA_EXCEEDED"]);
