// Asks a scripted server through the real adapter, with keys that can be told from everything else.
import { openModels } from "../../src/models/models.ts";
import type { Clock } from "../../src/ports/clock.ts";
import {
  ModelFailure,
  type ModelChunk,
  type ModelReply,
  type ModelRequest,
  type Models,
} from "../../src/ports/model.ts";
import type { Message, NewMessage } from "../../src/run/model/conversation.ts";
import { withMessage } from "../../src/run/model/conversation.ts";
import type { Model, ToolDescription } from "../../src/run/model/model.ts";
import type { ModelProvider } from "../../src/run/model/model-provider.ts";
import { realClock } from "../../src/system/clock.ts";
import type { ScriptedServer } from "./scripted-server.ts";

export const CANARY_KEYS = {
  DEEP_RESEARCH_API_KEY: "canary-compatible-0123456789",
  OPENAI_API_KEY: "canary-openai-0123456789",
  ANTHROPIC_API_KEY: "canary-anthropic-0123456789",
  GOOGLE_GENERATIVE_AI_API_KEY: "canary-google-0123456789",
  DEEP_RESEARCH_RERANK_API_KEY: "canary-rerank-0123456789",
};

export const SEARCH: ToolDescription = {
  name: "search",
  description: "Finds passages.",
  input_schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
};

export interface AskOptions {
  provider?: ModelProvider;
  messages?: readonly NewMessage[];
  request?: Partial<ModelRequest>;
  environment?: Record<string, string | undefined>;
  clock?: Clock;
  signal?: AbortSignal;
  timeout_ms?: number;
  mayUseProxy?: boolean;
  maxReplyBytes?: number;
}

export interface Asked {
  chunks: ModelChunk[];
  reply: ModelReply | null;
  failure: ModelFailure | null;
}

export function conversation(...messages: readonly NewMessage[]): Message[] {
  return messages.reduce<Message[]>((taken, message) => withMessage(taken, message), []);
}

export function modelAt(server: ScriptedServer, provider: ModelProvider = "compatible"): Model {
  return provider === "compatible"
    ? { provider, name: "scripted", base_url: server.baseUrl }
    : { provider, name: "scripted" };
}

export function modelsAt(server: ScriptedServer, options: AskOptions = {}): Models {
  return openModels({
    environment: {
      ...CANARY_KEYS,
      OPENAI_BASE_URL: server.baseUrl,
      ANTHROPIC_BASE_URL: server.baseUrl,
      GOOGLE_GENERATIVE_AI_BASE_URL: server.baseUrl,
      ...options.environment,
    },
    clock: options.clock ?? realClock,
    ...(options.maxReplyBytes === undefined ? {} : { maxReplyBytes: options.maxReplyBytes }),
  });
}

export function requestTo(server: ScriptedServer, options: AskOptions = {}): ModelRequest {
  return {
    model: modelAt(server, options.provider),
    messages: conversation(...(options.messages ?? [{ role: "user", content: "What is a journal?" }])),
    tools: [SEARCH],
    max_output_tokens: 1_000,
    ...options.request,
  };
}

/** One call; a `ModelFailure` is returned, anything else is rethrown. */
export async function ask(server: ScriptedServer, options: AskOptions = {}): Promise<Asked> {
  const chunks: ModelChunk[] = [];
  try {
    const reply = await modelsAt(server, options).call(requestTo(server, options), {
      signal: options.signal ?? new AbortController().signal,
      timeout_ms: options.timeout_ms ?? 60_000,
      ...(options.mayUseProxy === undefined ? {} : { mayUseProxy: options.mayUseProxy }),
      onChunk: (chunk) => chunks.push(chunk),
    });
    return { chunks, reply, failure: null };
  } catch (error) {
    if (error instanceof ModelFailure) return { chunks, reply: null, failure: error };
    throw error;
  }
}

/** What a promise rejects with, as text; that it does not reject is a failure of the test. */
export async function thrownBy(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return String(error);
  }
  throw new Error("nothing was thrown");
}
