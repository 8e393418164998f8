// Calls a model once for a conversation: waits its turn, reserves what it may cost, and settles what it did cost.
import { RunError } from "../kernel/errors.ts";
import { timestamp } from "../ports/clock.ts";
import type { Tool } from "../ports/driver.ts";
import {
  ModelFailure,
  type ModelFailureKind,
  type ModelReply,
  type ModelRequest,
  type Models,
} from "../ports/model.ts";
import { trimmed, type Assistant, type Message } from "../run/conversation.ts";
import { costOf, priceOf, tokenEstimateOf, type Price, type Prices } from "../run/prices.ts";
import type { RecordDraft } from "../run/record.ts";
import { modelName, type Model, type Usage } from "../run/model.ts";
import { modelFor, type ModelSettings, type Role } from "../run/settings.ts";
import type { Stage } from "../run/stage.ts";
import { messageTokensAtMost } from "../run/token-bound.ts";
import type { ConversationPlace } from "./conversation-log.ts";
import { HaltWanted } from "./halt-wanted.ts";
import type { Ledger, Reservation, Settlement } from "./ledger.ts";
import type { ModelGate } from "./model-gate.ts";
import type { Session } from "./session.ts";

/** A provider that wants a longer wait than this is left alone: the run halts until then. */
const LONGEST_WAIT_MS = 120_000;
/** Refusals in a row for want of patience, until a call counts as failed. */
const MAX_RATE_LIMITS = 6;

export interface CallerOptions {
  session: Session;
  models: Models;
  ledger: Ledger;
  gate: ModelGate;
  /** Later tables go before earlier ones. */
  prices: readonly Prices[];
}

export interface CallRequest {
  place: ConversationPlace;
  stage: Stage;
  role: Role;
  tools: readonly Tool[];
  messages: readonly Message[];
}

export interface Answered {
  message: Assistant;
  /** To be committed together with the message. */
  settlement: RecordDraft;
}

export class ModelCaller {
  readonly #options: CallerOptions;
  /** Messages are counted once: a long conversation is sent many times. */
  readonly #tokens = new WeakMap<Message, number>();

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Errors: `MODEL_FAILED` when this attempt failed; a halt; `StopWanted` when somebody asked the run to pause. */
  async call(asked: CallRequest, signal: AbortSignal): Promise<Answered> {
    const { gate, ledger } = this.#options;
    const settings = this.#settings();
    const model = modelFor(settings, asked.role);
    const price = priceOf(model, ...this.#options.prices);
    const { request, inputTokens } = this.#requestOf(asked, model, settings);
    for (let refusals = 1; ; refusals++) {
      await gate.pass(signal);
      const reservation = await ledger.reserve(estimateFor(asked, request, inputTokens, price));
      try {
        const reply = await this.#send(asked, request, settings, signal);
        gate.answered();
        const settlement = settled("answered", reply.usage, price, reservation);
        return { message: reply.message, settlement: ledger.settlement(reservation, settlement) };
      } catch (error) {
        if (!(error instanceof ModelFailure)) {
          ledger.abandon(reservation);
          throw error;
        }
        await this.#settleFailure(reservation, error, price);
        this.#judge(error, model, refusals);
      }
    }
  }

  /** Whether messages that have to stay leave half of a request to others. */
  leavesRoom(messages: readonly Message[]): boolean {
    const { context_tokens, max_output_tokens } = this.#settings();
    const tokens = messages.reduce((sum, message) => sum + this.#tokensOf(message), 0);
    return tokens <= (context_tokens - max_output_tokens) / 2;
  }

  modelOf(role: Role): string {
    return modelName(modelFor(this.#settings(), role));
  }

  async #send(
    { place }: CallRequest,
    request: ModelRequest,
    { call_timeout_s }: ModelSettings,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    const { models, session } = this.#options;
    const { onChunk } = session.observer;
    const reply = await models.call(request, {
      signal,
      timeout_ms: call_timeout_s * 1000,
      ...(onChunk === undefined ? {} : { onChunk: (chunk) => onChunk(place.key, chunk) }),
    });
    if (reply.finish_reason !== "length") return reply;
    throw new ModelFailure("truncated", {
      reason: `the reply is longer than the ${request.max_output_tokens} tokens that it may have`,
      usage: reply.usage,
    });
  }

  async #settleFailure(reservation: Reservation, failure: ModelFailure, price: Price | null): Promise<void> {
    const { session, ledger } = this.#options;
    const settlement = isFree(failure)
      ? { outcome: "failed" as const, usage: null, tokens: 0, cost_usd: 0 }
      : settled("failed", failure.facts.usage ?? null, price, reservation);
    await session.writer.commit([ledger.settlement(reservation, settlement)]);
  }

  /** Returns when the same request may be sent again after a wait. */
  #judge(failure: ModelFailure, model: Model, refusals: number): void {
    const { gate, session } = this.#options;
    const { kind, facts } = failure;
    const known = {
      reason: facts.reason,
      model: modelName(model),
      ...(facts.status === undefined ? {} : { status: facts.status }),
    };
    const waitMs = facts.retry_after_ms;
    const isLong = waitMs !== undefined && waitMs > LONGEST_WAIT_MS;
    if (kind === "rate_limited" && !isLong && refusals < MAX_RATE_LIMITS) return gate.slowDown(waitMs);
    if (kind === "quota" || (kind === "rate_limited" && isLong)) {
      const laterMs = waitMs === undefined ? undefined : session.ports.clock.nowMs() + waitMs;
      const retryAt = facts.retry_at ?? (laterMs === undefined ? undefined : timestamp(laterMs));
      throw closed(gate, new HaltWanted("quota", known, retryAt));
    }
    // Whoever tries again, this step or another, waits a little longer each time.
    if (kind === "transient") gate.slowDown(undefined);
    if (kind === "auth") throw closed(gate, new HaltWanted("gate_blocked", known));
    const { isRetryable } = failure;
    throw new RunError("MODEL_FAILED", {
      ...known,
      kind,
      retryable: isRetryable,
      ...(isRetryable ? { goes_on: true } : {}),
    });
  }

  #requestOf(
    { messages, tools }: CallRequest,
    model: Model,
    { context_tokens, max_output_tokens, send_reasoning_back }: ModelSettings,
  ): { request: ModelRequest; inputTokens: number } {
    const described = tools.map(({ description }) => description);
    const beside = tokenEstimateOf({ messages: [], tools: described, max_output_tokens: 0 }).input_tokens;
    const kept = trimmed(messages, context_tokens - max_output_tokens - beside, (message) => this.#tokensOf(message));
    if (!kept.fits) {
      throw new RunError("MODEL_FAILED", {
        reason: "the conversation does not fit into the context of the model",
        kind: "context_too_long",
        context_tokens,
        retryable: false,
      });
    }
    const inputTokens = kept.messages.reduce((sum, message) => sum + this.#tokensOf(message), beside);
    const reasoning = { send_back: send_reasoning_back };
    return {
      request: { model, messages: kept.messages, tools: described, max_output_tokens, reasoning },
      inputTokens,
    };
  }

  #tokensOf(message: Message): number {
    const tokens = this.#tokens.get(message) ?? messageTokensAtMost(message);
    this.#tokens.set(message, tokens);
    return tokens;
  }

  #settings(): ModelSettings {
    const { models } = this.#options.session.writer.manifest.settings;
    if (models !== undefined) return models;
    throw new RunError("INVALID_ARGS", { reason: "the run has no model", option: "--model" });
  }
}

/** No call of the run is begun any more. */
function closed(gate: ModelGate, halt: HaltWanted): HaltWanted {
  gate.close(halt);
  return halt;
}

function estimateFor(
  { place, stage, role }: CallRequest,
  { model, max_output_tokens }: ModelRequest,
  input_tokens: number,
  price: Price | null,
) {
  return {
    key: place.key,
    stage,
    role,
    model: modelName(model),
    tokens: input_tokens + max_output_tokens,
    cost_usd: costOf({ input_tokens, output_tokens: max_output_tokens }, price),
  };
}

/** Refused before a model saw it. */
const UNSEEN: ReadonlySet<ModelFailureKind> = new Set([
  "rate_limited",
  "quota",
  "auth",
  "bad_request",
  "context_too_long",
]);

/** Whether nothing is charged for a failed call: no model saw it, or the way there broke before a reply began. */
function isFree({ kind, facts }: ModelFailure): boolean {
  if (facts.usage !== undefined) return false;
  return UNSEEN.has(kind) || (kind === "transient" && facts.timed_out !== true);
}

/** A provider that does not say what a call used is charged what was reserved. */
function settled(
  outcome: Settlement["outcome"],
  usage: Usage | null,
  price: Price | null,
  reserved: Reservation,
): Settlement {
  if (usage?.input_tokens == null || usage.output_tokens === null)
    return { outcome, usage, tokens: reserved.tokens, cost_usd: reserved.cost_usd };
  return { outcome, usage, tokens: usage.input_tokens + usage.output_tokens, cost_usd: costOf(usage, price) };
}
