// Anthropic's models, over the messages wire.
import { createAnthropic } from "@ai-sdk/anthropic";
import { z } from "../kernel/zod.ts";
import type { Model } from "../run/model/model.ts";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";

export function anthropicModel({ name, effort }: Model, { baseUrl, key, fetch }: ProviderSettings): ProviderModel {
  const provider = createAnthropic({
    baseURL: baseUrl,
    fetch: withThinkingInReply(fetch, PART_OF_REPLY[effort ?? "none"]),
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return {
    languageModel: provider.languageModel(name),
    optionsName: "anthropic",
    cacheMark: { anthropic: { cacheControl: { type: "ephemeral" } } },
  };
}

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
