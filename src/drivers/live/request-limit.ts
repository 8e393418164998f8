// How many searches and openings one conversation may make, and what becomes of a model that does not stop.
import { RunError } from "../../kernel/errors.ts";
import type { ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/conversation.ts";
import type { Limits } from "../../run/settings.ts";
import { ResearchState } from "./research-state.ts";
import { refused } from "./tool-answers.ts";

const REQUESTS_BESIDE = 12;
const REQUESTS_PER_QUOTE = 4;
/** Asked for beyond what is allowed, and then the attempt has failed. */
const MAX_OVER_LIMIT = 8;

/** Searches and openings of one conversation together: far more than its quotes need. */
export function requestsAllowed({ max_quotes_per_subject }: Limits): number {
  return REQUESTS_BESIDE + REQUESTS_PER_QUOTE * max_quotes_per_subject;
}

/** Told instead of a search or an opening; null while there may be one more. */
export function overLimit(state: ResearchState, limits: Limits): ToolAnswer | null {
  const allowed = requestsAllowed(limits);
  if (state.requests < allowed) return null;
  const over_limit = `No more searches and openings in this step: ${allowed} were allowed. Record quotes of what you have read, and hand the result in.`;
  return refused(over_limit, { over_limit });
}

export const TOO_MANY_SEARCHES = "too_many_searches";

/** Of a model that goes on to search after it was told so again and again; null for any other. */
export function failureBySearching(messages: readonly Message[]): RunError | null {
  const told = new ResearchState(messages).overLimit();
  if (told.length < MAX_OVER_LIMIT) return null;
  const reason = `the model did not stop when it was told: ${told[0]}`;
  return new RunError("MODEL_FAILED", { reason, kind: TOO_MANY_SEARCHES, retryable: false });
}
