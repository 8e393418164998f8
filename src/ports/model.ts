// The port for language models: one request is sent, and one reply or one typed failure comes back.
import type { Assistant, Message } from "../run/model/conversation.ts";
import type { Model, ToolDescription, Usage } from "../run/model/model.ts";

/**
 * `json_schema`: the reply is the arguments, and the server holds it to their schema. `forced_call`: the reply has to call the
 * tool. A server may refuse or ignore either.
 */
export type OnlyTool = "json_schema" | "forced_call";

export interface ModelRequest {
  model: Model;
  /** The system messages come first. Each call of a tool has exactly one result, right behind its message. */
  messages: readonly Message[];
  tools: readonly ToolDescription[];
  /** How the reply has to call the one tool of the request; absent when it need not call any. */
  only_tool?: OnlyTool;
  max_output_tokens: number;
  /** Earlier reasoning goes along, with its signatures. */
  send_reasoning_back?: boolean;
}

/** A piece of the reply as it comes, for people who watch. Together the pieces are the message of the reply. */
export type ModelChunk =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "tool_call_delta"; tool_call_id: string; name: string; arguments: string };

/** `length`: the text was cut off at `max_output_tokens`. `other`: the provider named an unknown reason. */
export type FinishReason = "stop" | "tool_calls" | "length" | "other";

export interface ModelReply {
  message: Assistant;
  usage: Usage;
  finish_reason: FinishReason;
  /** As the provider names it, which may be more exact than what was requested. */
  model_id: string;
}

export interface CallOptions {
  signal: AbortSignal;
  /** For the whole call. Silence has no other limit. */
  timeout_ms: number;
  /** The request may use the proxy of the environment; by default it does not. */
  mayUseProxy?: boolean;
  /** For people who watch. Nothing that has to last depends on it. */
  onChunk?: (chunk: ModelChunk) => void;
}

export type ModelFailureKind =
  | "rate_limited" // Later, after `retry_after_ms` if it is known.
  | "quota" // No call will be answered before `retry_at`, or before a person pays.
  | "auth" // 401, 402 or 403; no call will be answered with this key.
  | "no_such_model" // 404, or the endpoint says that it has no model of this name.
  | "no_tools" // The model, or its server, cannot call tools.
  | "bad_request" // This request will never be answered.
  | "transient" // Network, time limit, 5xx.
  | "truncated" // The reply ended before it was whole.
  | "empty" // A whole reply that says nothing and asks for nothing.
  | "malformed" // Not what the provider's protocol allows.
  | "refused" // The model or its content filter refused.
  | "context_too_long" // More than the model takes.
  | "reply_too_long"; // Cut off at `max_output_tokens`, before it was whole.

const RETRYABLE: ReadonlySet<ModelFailureKind> = new Set([
  "rate_limited",
  "transient",
  "truncated",
  "empty",
  "malformed",
]);

export interface ModelFailureFacts {
  /** For people; it never holds a key. */
  reason: string;
  /** Of HTTP. */
  status?: number;
  retry_after_ms?: number;
  retry_at?: string;
  timed_out?: boolean;
  /** No answer came: the connection was refused, or broke off. */
  unreachable?: boolean;
  /** Its certificate is not trusted. */
  untrusted?: boolean;
  /** The request was not sent. */
  unsent?: boolean;
  /** What the model or its server takes at once, as far as it is known. */
  context_tokens?: number;
  /** The least that the request held. Set when the server read less of it and did not say so. */
  held_tokens?: number;
  /** Part of the reply had come. */
  begun?: boolean;
  /** What the failed call used, when the provider said so. */
  usage?: Usage;
}

/** A failure of one call. It has no `cause`, since the error of a library may hold headers and requests. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: ModelFailureKind;
  readonly facts: ModelFailureFacts;

  constructor(kind: ModelFailureKind, facts: ModelFailureFacts) {
    super(`${kind}: ${facts.reason}`);
    this.kind = kind;
    this.facts = facts;
  }

  /** True when the same request may succeed later. */
  get isRetryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}

export interface Models {
  /** The base URL that calls to this model go to. Errors: `INVALID_ARGS`. */
  endpointOf(model: Model): string;
  /** Where its key comes from. */
  keyOf(model: Model): { variable: string; is_set: boolean };
  /** True when the user lists its host among those that every run may reach, whatever its sensitivity. */
  isListed(model: Model): boolean;
  /** Errors: `INVALID_ARGS`, which names the environment variable, when a key is missing or is no key. */
  check(model: Model): void;
  /** The names of the models that an endpoint of `compatible` says it has. Errors: as `call`. */
  list(baseUrl: string, options: Pick<CallOptions, "signal" | "mayUseProxy">): Promise<string[]>;
  /** Sends one HTTP request, and runs no tool. Errors: a `ModelFailure`; the reason of the signal; those of `check`. */
  call(request: ModelRequest, options: CallOptions): Promise<ModelReply>;
}
