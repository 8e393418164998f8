// The answers of a scripted model, as plain data: a script is a list of answers, or a function of the request.

/** A request as the server saw it. */
export interface SeenRequest {
  /** From 1, in the order of arrival. */
  number: number;
  wire: "openai" | "anthropic" | "other";
  path: string;
  headers: Record<string, string>;
  /** Parsed JSON, or the text when it is none. */
  body: unknown;
  /** `left`: the client went before the answer ended. `cut`: the script cut it. */
  ended: "open" | "answered" | "cut" | "left";
}

export interface ScriptedCall {
  /** Made from the number of the request when it is left out; null leaves it out on the wire, too. */
  id?: string | null;
  name: string;
  /** Text goes out as it is, so that it may be garbage; anything else as JSON. */
  arguments: unknown;
}

export interface ScriptedUsage {
  input: number;
  output: number;
  cached?: number;
  /** Put into the cache: Anthropic's wire only. */
  kept?: number;
  reasoning?: number;
}

/** How the bytes of an answer travel. Everything is counted in bytes of the body. */
export interface Delivery {
  /** Characters of each delta; without it, a few. */
  delta_length?: number;
  /** The body goes out in writes of this size. */
  write_bytes?: number;
  /** Only this many bytes go out; then the connection breaks, or ends as if all were said. */
  cut_at?: number;
  cut?: "break" | "end";
  /** Before the first byte of the answer. */
  delay_ms?: number;
  /** Between two writes. */
  pause_ms?: number;
  /** Nothing goes out before `release()`; with `hold_at`, nothing from that byte on. */
  hold?: boolean;
  hold_at?: number;
}

export interface MessageAnswer extends Delivery {
  kind: "message";
  text?: string;
  reasoning?: string;
  /** Anthropic's wire only. */
  reasoning_signature?: string;
  tool_calls?: ScriptedCall[];
  /** In the words of the wire; null says none. Without it, what fits. */
  finish?: string | null;
  /** Null says nothing about usage. */
  usage?: ScriptedUsage | null;
  model?: string;
}

/** An error in the shape of the wire. `in_stream`: status 200, and the error comes as an event. */
export interface ErrorAnswer extends Delivery {
  kind: "error";
  status: number;
  type: string;
  code?: string;
  message: string;
  headers?: Record<string, string>;
  in_stream?: boolean;
}

/** Any bytes under any status and headers: garbage, wrong types, wires that this server does not know. */
export interface RawAnswer extends Delivery {
  kind: "raw";
  status?: number;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

/** The same text again and again, until the client leaves or `most_bytes` went out. */
export interface EndlessAnswer extends Delivery {
  kind: "endless";
  head?: string;
  repeated: string;
  most_bytes: number;
  status?: number;
  headers?: Record<string, string>;
}

/** Not even headers, until `release()`; then the connection breaks. */
export interface SilenceAnswer {
  kind: "silence";
}

export type Answer = MessageAnswer | ErrorAnswer | RawAnswer | EndlessAnswer | SilenceAnswer;

/** One answer for each request, the last one not repeated; or whatever a function of the request says. */
export type Script = readonly Answer[] | ((request: SeenRequest) => Answer | Promise<Answer>);

export function says(text: string, more: Partial<MessageAnswer> = {}): MessageAnswer {
  return { kind: "message", text, ...more };
}

export function asksFor(tool_calls: ScriptedCall[], more: Partial<MessageAnswer> = {}): MessageAnswer {
  return { kind: "message", tool_calls, ...more };
}

export function rateLimited(retryAfter?: string): ErrorAnswer {
  return {
    kind: "error",
    status: 429,
    type: "rate_limit_error",
    code: "rate_limit_exceeded",
    message: "Too many requests.",
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": retryAfter } }),
  };
}

/** The terminal one: waiting does not help. */
export const OUT_OF_QUOTA: ErrorAnswer = {
  kind: "error",
  status: 429,
  type: "insufficient_quota",
  code: "insufficient_quota",
  message: "The quota of this account is used up.",
};

export const UNAUTHORIZED: ErrorAnswer = {
  kind: "error",
  status: 401,
  type: "authentication_error",
  code: "invalid_api_key",
  message: "This key is not known.",
};

export const SERVER_ERROR: ErrorAnswer = {
  kind: "error",
  status: 500,
  type: "server_error",
  message: "Something broke.",
};

/** Anthropic's word for too much work; also as an event of a stream that had begun. */
export const OVERLOADED: ErrorAnswer = { kind: "error", status: 529, type: "overloaded_error", message: "Overloaded." };
