// Calls a model for a conversation: waits its turn, reserves what the call may cost, and settles what it did cost.
import { RunError } from "../kernel/errors.ts";
import type { Tool } from "../ports/driver.ts";
import {
  ModelFailure,
  type ModelFailureKind,
  type ModelReply,
  type ModelRequest,
  type Models,
  type OnlyTool,
} from "../ports/model.ts";
import { trimmed, type Assistant, type Message, type Recall } from "../run/model/conversation.ts";
import { mostCostOf, priceOf, tokenEstimateOf, type Prices } from "../run/money/prices.ts";
import type { RecordDraft } from "../run/log/record.ts";
import { calledModel, modelName, plainModelName } from "../run/settings/model-names.ts";
import type { Model, Usage } from "../run/model/model.ts";
import { DEFAULT_MODEL_SETTINGS, type CallSettings } from "../run/settings/settings.ts";
import type { CallRole } from "../run/role.ts";
import type { Stage } from "../run/stage.ts";
import { messageTokensAtMost } from "../run/money/token-bound.ts";
import type { CallThrottle } from "./call-throttle.ts";
import { chargedWhenAnswered, chargedWhenFailed, NOTHING_SPENT } from "./charges.ts";
import type { ConversationPlace } from "./conversation-log.ts";
import type { KnownServers } from "./known-servers.ts";
import type { Ledger, Reservation, Settlement } from "./ledger.ts";
import { judgeFailure } from "./model-failures.ts";
import type { OwnedRun } from "./owned-run.ts";
import { TruncationCheck } from "./truncation.ts";

interface CallerOptions {
  run: OwnedRun;
  models: Models;
  ledger: Ledger;
  throttle: CallThrottle;
  servers: KnownServers;
  /** Later tables go before earlier ones. */
  prices: readonly Prices[];
}

interface CallRequest {
  place: ConversationPlace;
  stage: Stage;
  role: CallRole;
  tools: readonly Tool[];
  messages: readonly Message[];
  /** Is sent with the messages and not stored. */
  note?: string | null;
  /** Summarizes what does not fit into the request. */
  recall?: Recall | undefined;
  isUnseen?: boolean;
}

export interface Answered {
  message: Assistant;
  /** Calls `commit`, which writes the settlement of the call together with the message. */
  settle(commit: (settlement: RecordDraft) => Promise<void>): Promise<void>;
}

export class ModelCaller {
  readonly #options: CallerOptions;
  /** The tokens of each message, since a long conversation is sent many times. Cleared when any step is over. */
  readonly #tokens = new Map<Message, number>();
  readonly #truncation = new TruncationCheck();

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  forget(step: string): void {
    this.#truncation.forget(step);
    this.#tokens.clear();
  }

  /** Errors: `MODEL_FAILED` when this attempt failed; `Interrupted` by a halt, or when the run has to stop. */
  async call(call: CallRequest, signal: AbortSignal): Promise<Answered> {
    const { run, throttle, servers } = this.#options;
    const settings = this.#settings(call.role);
    const model = this.#modelFor(call.role);
    let messages = call.note == null ? call.messages : noted(call.messages, call.note);
    let isShorter = false;
    const slips = new Map<ModelFailureKind, number>();
    let tooLong: ModelFailure | null = null;
    for (let sentBefore = 0; ; sentBefore++) {
      const onlyTool = this.#onlyTool(call, model);
      const share = servers.shareOf(model);
      const ended = await this.#callOnce({ ...call, messages }, model, settings, signal);
      if (!(ended instanceof ModelFailure)) return ended;
      const slip = SLIPS[ended.kind];
      if (slip !== undefined) slips.set(ended.kind, (slips.get(ended.kind) ?? 0) + 1);
      // The same request would be cut off at the same place again, and paid again.
      if (ended.kind === "reply_too_long" && !isShorter) {
        messages = noted(call.messages, lessWanted(settings.max_output_tokens));
        isShorter = true;
      }
      // The server refused the way in which this request called its tool. The next one calls it in another way.
      else if (refusedBy(ended, { only_tool: onlyTool }, false) !== null) continue;
      else if (isRefusedLength(ended) && servers.shareOf(model) > share) tooLong = ended;
      else if (slip !== undefined && (slips.get(ended.kind) ?? 0) < MAX_SLIPS_IN_A_ROW)
        messages = noted(call.messages, slip);
      else {
        const hasAnswered = servers.hasAnswered(model);
        // Shortening did not help, so the failure is reported as the server gave it.
        const failure = ended.facts.unsent === true ? (tooLong ?? ended) : ended;
        const lesson = slip === undefined ? {} : { lesson: { conversation: call.place.conversation, text: slip } };
        judgeFailure(failure, { run, throttle, model, role: call.role, settings, hasAnswered, sentBefore, ...lesson });
      }
    }
  }

  async #callOnce(
    call: CallRequest,
    model: Model,
    settings: CallSettings,
    signal: AbortSignal,
  ): Promise<Answered | ModelFailure> {
    const { throttle, ledger, prices, servers } = this.#options;
    await throttle.pass(signal);
    const fitted = this.#requestOf(call, model, settings);
    if (fitted instanceof ModelFailure) return fitted;
    const { request, inputTokens } = fitted;
    const price = priceOf(model, ...prices);
    const most = { input_tokens: inputTokens, output_tokens: request.max_output_tokens };
    const reservation = await ledger.reserve({
      key: call.place.key,
      stage: call.stage,
      role: call.role,
      model: plainModelName(model),
      tokens: most.input_tokens + most.output_tokens,
      cost_usd: mostCostOf(most, price),
    });
    const { refusal } = throttle;
    if (refusal !== null) {
      await this.#settle(reservation, NOTHING_SPENT);
      throw refusal;
    }
    try {
      const reply = await this.#send(call, request, settings, signal);
      throttle.answered();
      const settlement = {
        ...chargedWhenAnswered(reply, { inputTokens, request, price, reservation }),
        ...servers.answered(request, inputTokens, reply.usage),
        ...(isUnheeded(request, reply) ? servers.refused(model, "json_schema") : {}),
      };
      return { message: reply.message, settle: (commit) => ledger.settle(reservation, settlement, commit) };
    } catch (error) {
      if (!(error instanceof ModelFailure)) {
        ledger.abandon(reservation);
        throw error;
      }
      const refused = refusedBy(error, request, inputTokens > roomIn(settings));
      await this.#settle(reservation, {
        ...chargedWhenFailed(error, price, reservation),
        ...(refused === null ? {} : servers.refused(model, refused)),
      });
      return error;
    }
  }

  /** Where there is one tool, the model has to call it, in the best way that its server takes. */
  #onlyTool({ tools }: Pick<CallRequest, "tools">, model: Model): OnlyTool | undefined {
    return tools.length === 1 ? this.#options.servers.onlyTool(model) : undefined;
  }

  /** True when these messages, which have to stay, leave half of a request to others. */
  leavesRoom(role: CallRole, messages: readonly Message[]): boolean {
    const tokens = messages.reduce((sum, message) => sum + this.#tokensOf(message), 0);
    return tokens * this.#options.servers.shareOf(this.#modelFor(role)) <= roomIn(this.#settings(role)) / 2;
  }

  modelOf(role: CallRole): string {
    return modelName(this.#modelFor(role));
  }

  async #send(
    { place, isUnseen = false }: CallRequest,
    request: ModelRequest,
    { call_timeout_s }: CallSettings,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    const { models, run } = this.#options;
    const { onChunk } = run.observer;
    const calling = models.call(request, {
      signal,
      timeout_ms: call_timeout_s * 1000,
      mayUseProxy: run.writer.manifest.query.sensitivity === "normal",
      ...(onChunk === undefined || isUnseen ? {} : { onChunk: (chunk) => onChunk(place.key, chunk) }),
    });
    const reply = await calling.catch((error: unknown) => {
      if (error instanceof ModelFailure) this.#refuseCut(place, request, error.facts.usage);
      throw error;
    });
    this.#refuseCut(place, request, reply.usage);
    if (reply.finish_reason !== "length") return reply;
    throw new ModelFailure("reply_too_long", { reason: "the reply was cut off (length)", usage: reply.usage });
  }

  /** Refuses a reply when the server has read only a part of the request. */
  #refuseCut({ key, conversation }: ConversationPlace, request: ModelRequest, usage: Usage | undefined): void {
    if (usage === undefined) return;
    const cut = this.#truncation.truncationOf(`${key} ${conversation}`, request, usage);
    if (cut !== null) throw new ModelFailure("context_too_long", { ...cut, usage });
  }

  async #settle(reservation: Reservation, settlement: Settlement): Promise<void> {
    const { run, ledger } = this.#options;
    await ledger.settle(reservation, settlement, (settled) => run.writer.commit([settled]));
  }

  #requestOf(
    { messages, tools, recall }: CallRequest,
    model: Model,
    settings: CallSettings,
  ): { request: ModelRequest; inputTokens: number } | ModelFailure {
    const { context_tokens, max_output_tokens, send_reasoning_back } = settings;
    const described = tools.map(({ description }) => description);
    const ofTools = tokenEstimateOf({ messages: [], tools: described, max_output_tokens: 0 }).input_tokens;
    const mostTokens = roomIn(settings) / this.#options.servers.shareOf(model) - ofTools;
    const kept = trimmed(messages, mostTokens, (message) => this.#tokensOf(message), recall);
    if (!kept.fits) {
      const reason = `the conversation does not fit into the ${context_tokens} tokens that a request may hold`;
      return new ModelFailure("context_too_long", { reason, unsent: true });
    }
    const inputTokens = kept.messages.reduce((sum, message) => sum + this.#tokensOf(message), ofTools);
    const only_tool = this.#onlyTool({ tools }, model);
    const only = only_tool === undefined ? {} : { only_tool };
    return {
      request: { model, messages: kept.messages, tools: described, ...only, max_output_tokens, send_reasoning_back },
      inputTokens,
    };
  }

  #tokensOf(message: Message): number {
    const tokens = this.#tokens.get(message) ?? messageTokensAtMost(message);
    this.#tokens.set(message, tokens);
    return tokens;
  }

  #settings(role: CallRole): CallSettings {
    const settings = this.#options.run.writer.manifest.settings.models ?? DEFAULT_MODEL_SETTINGS;
    return role === "ranker" ? { ...settings, ...OF_RANKERS } : settings;
  }

  #modelFor(role: CallRole): Model {
    const model = calledModel(this.#options.run.writer.manifest.settings, role);
    if (model !== undefined) return model;
    throw new RunError("INVALID_ARGS", { reason: "the run has no model", option: "--model" });
  }
}

/** An order is short, and made in one go. */
const OF_RANKERS = { max_output_tokens: 256, call_timeout_s: 120 };

/** Tokens that a request may have, without its reply. */
function roomIn({ context_tokens, max_output_tokens }: CallSettings): number {
  return context_tokens - max_output_tokens;
}

function isRefusedLength({ kind, facts }: ModelFailure): boolean {
  return kind === "context_too_long" && facts.unsent !== true;
}

/** The part of a request that its server refused; null where the request failed for another reason. */
function refusedBy(
  failure: ModelFailure,
  { only_tool }: { only_tool?: OnlyTool | undefined },
  isOverBound: boolean,
): OnlyTool | "length" | null {
  if (isRefusedLength(failure)) return isOverBound ? "length" : null;
  if (only_tool === undefined) return null;
  // Some servers put a reply that they hold to a schema into a field that nothing reads.
  const isRefused = failure.kind === "bad_request" || (only_tool === "json_schema" && failure.kind === "empty");
  return isRefused ? only_tool : null;
}

/** True when the server has not held the reply to the schema: it had to be arguments, and is none. */
function isUnheeded({ only_tool }: ModelRequest, { message }: ModelReply): boolean {
  return only_tool === "json_schema" && message.tool_calls.length === 0;
}

/** How many unusable replies of one kind an attempt takes before it fails. */
const MAX_SLIPS_IN_A_ROW = 3;

/** What the next request says about a reply that could not be used. */
const SLIPS: Partial<Record<ModelFailureKind, string>> = {
  malformed: "Your last reply could not be read and is lost. Call the tools by their names, each with one JSON object.",
  empty: "Your last reply said nothing and called no tool. Call a tool now.",
};

function lessWanted(most: number): string {
  return `Your last reply was cut off and is lost: a reply may have ${most} tokens. Think and write less in this one.`;
}

/** The same messages with a note that is sent and not stored. */
function noted(messages: readonly Message[], note: string): Message[] {
  return messages.map((message, place) =>
    place === 0 && message.role === "system" ? { ...message, content: `${message.content}\n\n${note}` } : message,
  );
}
