// The models port over the AI SDK's provider packages; each is loaded when its first model is called.
import type { Clock } from "../ports/clock.ts";
import { type Models, type CallOptions, ModelFailure } from "../ports/model.ts";
import type { Model } from "../run/model/model.ts";
import { callModel } from "./call.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { endpointOf, keyOf, keysIn, keyVariableOf, type Environment } from "./keys.ts";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";
import { rerank } from "./rerank.ts";
import { secretsOf } from "./secrets.ts";
import { wholeAnswer, type Server } from "./whole-answer.ts";
import { z } from "../kernel/zod.ts";

interface ModelsOptions {
  /** Holds the keys. It is read at every call, and nothing of it is kept. */
  environment: Environment;
  clock: Clock;
  maxReplyBytes?: number;
  /** True when the user lists the host of the endpoint; by default none is listed. */
  isListed?: (endpoint: string) => boolean;
}

export function openModels({ environment, clock, maxReplyBytes, isListed = () => false }: ModelsOptions): Models {
  const addressOf = (model: Model): Omit<ProviderSettings, "fetch"> => ({
    baseUrl: endpointOf(model, environment),
    key: keyOf(model.provider, environment),
  });
  return {
    endpointOf: (model) => endpointOf(model, environment),
    keyOf({ provider }) {
      const variable = keyVariableOf(provider);
      return { variable, is_set: (environment[variable] ?? "") !== "" };
    },
    isListed: (model) => isListed(endpointOf(model, environment)),
    check(model) {
      addressOf(model);
    },
    async list(baseUrl, options) {
      const key = keyOf("compatible", environment);
      return await listModels({ baseUrl, key, clock, secrets: secretsOf(keysIn(environment)) }, options);
    },
    async call(request, options) {
      const { provider } = request.model;
      const secrets = secretsOf(keysIn(environment));
      if (provider === "rerank") return await rerank({ ...addressOf(request.model), clock, secrets }, request, options);
      const fetch = guardedFetch({ mayUseProxy: options.mayUseProxy === true, maxReplyBytes });
      const settings = { ...addressOf(request.model), fetch };
      const model = await providerModel({ ...request.model, provider }, settings);
      return callModel({ model, endpoint: settings.baseUrl, clock, secrets }, request, options);
    },
  };
}

/** A model that writes. */
type Writer = Model & { provider: Exclude<Model["provider"], "rerank"> };

async function providerModel(model: Writer, settings: ProviderSettings): Promise<ProviderModel> {
  const { provider, name } = model;
  const { baseUrl: baseURL, key, fetch } = settings;
  const place = { baseURL, fetch, ...(key === undefined ? {} : { apiKey: key }) };
  switch (provider) {
    case "compatible": {
      // Any endpoint that speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, gateways.
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const made = createOpenAICompatible({
        ...place,
        name: provider,
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
      return { languageModel: made.languageModel(name), optionsName: provider };
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      // The provider stores no conversation, only the run does. So reasoning comes encrypted, to be sent back.
      const providerOptions = { openai: { store: false } };
      return { languageModel: createOpenAI(place).responses(name), optionsName: provider, providerOptions };
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const bounded = withThinkingInReply(fetch, PART_OF_REPLY[model.effort ?? "none"]);
      return {
        languageModel: createAnthropic({ ...place, fetch: bounded }).languageModel(name),
        optionsName: provider,
        cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
      };
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return { languageModel: createGoogle(place).languageModel(name), optionsName: provider };
    }
  }
}

// --- thinking of Anthropic's models -------------------------------------------------------------------------------

/** Tokens. */
const LEAST_BUDGET = 1_024;
/** The part of a reply for thinking, for models that think by a fixed budget. */
const PART_OF_REPLY = { none: 0, minimal: 0.1, low: 0.2, medium: 0.4, high: 0.6 };

const thinkingSchema = z.looseObject({
  max_tokens: z.number(),
  thinking: z.looseObject({ type: z.literal("enabled"), budget_tokens: z.number() }),
});

/**
 * The library adds the budget for thinking to the tokens of a reply. Here it becomes a part of these tokens, because what a
 * call may use is reserved before it is sent.
 */
function withThinkingInReply(send: typeof fetch, part: number): typeof fetch {
  const bounded = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    send(input, typeof init?.body === "string" ? { ...init, body: boundedBody(init.body, part) } : init);
  return Object.assign(bounded, { preconnect: send.preconnect });
}

function boundedBody(text: string, part: number): string {
  const { data: body } = thinkingSchema.safeParse(JSON.parse(text));
  if (body === undefined) return text;
  const { thinking } = body;
  const max_tokens = body.max_tokens - thinking.budget_tokens;
  const budget_tokens = Math.max(LEAST_BUDGET, Math.floor(max_tokens * part));
  const isTooShort = budget_tokens > max_tokens * PART_OF_REPLY.high;
  return JSON.stringify({
    ...body,
    max_tokens,
    thinking: isTooShort ? { type: "disabled" } : { ...thinking, budget_tokens },
  });
}

// --- the models of an endpoint ------------------------------------------------------------------------------------

const TIMEOUT_MS = 10_000;
const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 200;

const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(MAX_NAME_LENGTH) })) });

/** The names of all that an endpoint has, when it speaks OpenAI's protocol. */
async function listModels(
  server: Omit<Server, "path">,
  options: Pick<CallOptions, "signal" | "mayUseProxy">,
): Promise<string[]> {
  const text = await wholeAnswer({ ...server, path: "/models" }, undefined, { ...options, timeout_ms: TIMEOUT_MS });
  return namesIn(text).slice(0, MAX_NAMES);
}

/** Errors: `ModelFailure` for what is no list of models. */
function namesIn(text: string): string[] {
  try {
    return listSchema.parse(JSON.parse(text)).data.map(({ id }) => id);
  } catch {
    throw new ModelFailure("malformed", {
      reason: "it answers, but not with a list of models: does the URL end in /v1?",
    });
  }
}
