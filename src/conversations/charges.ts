// Charges for a call: what its provider says it used, or else the most that it can have used.
import type { ModelFailure, ModelFailureKind, ModelReply, ModelRequest } from "../ports/model.ts";
import { costOf, mostCostOf, type Price } from "../run/money/prices.ts";
import type { Usage } from "../run/model/model.ts";
import { messageTokensAtMost } from "../run/money/token-bound.ts";
import type { Reservation, Settlement } from "./ledger.ts";

export const NOTHING_SPENT: Settlement = { outcome: "failed", usage: null, tokens: 0, cost_usd: 0 };

/** Failures of requests that no model saw. */
const UNSEEN: ReadonlySet<ModelFailureKind> = new Set([
  "rate_limited",
  "quota",
  "auth",
  "no_such_model",
  "no_tools",
  "bad_request",
  "context_too_long",
]);

/** True when nothing is charged: no model saw the request, or the connection broke before a reply began. */
function isFree({ kind, facts }: ModelFailure): boolean {
  if (facts.usage !== undefined || facts.begun === true) return false;
  return UNSEEN.has(kind) || (kind === "transient" && facts.timed_out !== true);
}

/** A call that failed half-way is charged what was reserved, unless its provider says what it used. */
export function chargedWhenFailed(failure: ModelFailure, price: Price | null, reservation: Reservation): Settlement {
  return isFree(failure) ? NOTHING_SPENT : settled("failed", failure.facts.usage ?? null, price, reservation);
}

/** `most`: what is charged where the provider does not say what was used. */
function settled(
  outcome: Settlement["outcome"],
  usage: Usage | null,
  price: Price | null,
  most: Pick<Settlement, "tokens" | "cost_usd">,
): Settlement {
  if (usage?.input_tokens == null || usage.output_tokens === null)
    return { outcome, usage, tokens: most.tokens, cost_usd: most.cost_usd, is_estimate: true };
  return { outcome, usage, tokens: usage.input_tokens + usage.output_tokens, cost_usd: costOf(usage, price) };
}

interface SentCall {
  inputTokens: number;
  request: ModelRequest;
  price: Price | null;
  reservation: Reservation;
}

/** Where the provider says nothing, an answered call is charged the most tokens that its request and its reply can have. */
export function chargedWhenAnswered(
  { message, usage }: ModelReply,
  { inputTokens, request, price, reservation }: SentCall,
): Settlement {
  const { max_output_tokens } = request;
  // The ledger reserves more than the estimate once an estimate was exceeded. Guesses here grow by the same share.
  const overrun = reservation.tokens / (inputTokens + max_output_tokens);
  const came = Math.min(messageTokensAtMost({ message_id: 0, ...message }), max_output_tokens);
  const most = {
    input_tokens: usage.input_tokens ?? Math.ceil(inputTokens * overrun),
    output_tokens: usage.output_tokens ?? Math.ceil(came * overrun),
  };
  const tokens = most.input_tokens + most.output_tokens;
  return settled("answered", usage, price, { tokens, cost_usd: mostCostOf(most, price) });
}
