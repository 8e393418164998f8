// prices.v1: the prices of models as of a date, and what a call cost or may cost. An unknown price is never zero.
import { z } from "../../kernel/zod.ts";
import type { Message } from "../model/conversation.ts";
import { type Model, type ToolDescription, type Usage } from "../model/model.ts";
import { modelProviderSchema } from "../model/model-provider.ts";
import { money } from "./usage.ts";
import { framedTokensAtMost, messageTokensAtMost } from "./token-bound.ts";

const usdSchema = z.number().min(0).max(1_000_000);

/**
 * USD per million tokens. Without `cached_input`, tokens from the cache cost the price of input. Without `cache_write`,
 * tokens written to the cache cost what the provider generally charges for them.
 */
const priceSchema = z.object({
  provider: modelProviderSchema,
  name: z.string().min(1).max(200),
  input: usdSchema,
  output: usdSchema,
  cached_input: usdSchema.optional(),
  cache_write: usdSchema.optional(),
});
export type Price = z.infer<typeof priceSchema>;

export const pricesSchema = z.object({
  schema_version: z.literal("prices.v1"),
  as_of: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  models: z.array(priceSchema).max(10_000),
});
export type Prices = z.infer<typeof pricesSchema>;

/** The price of a model; null when it is unknown. Later tables go before earlier ones. */
export function priceOf(model: Pick<Model, "provider" | "name">, ...tables: readonly Prices[]): Price | null {
  const prices = tables.toReversed().flatMap(({ models }) => models);
  return prices.find(({ provider, name }) => provider === model.provider && name === model.name) ?? null;
}

/** Times the price of input. Other providers charge no more for tokens written to the cache. */
const ANTHROPIC_CACHE_WRITE = 1.25;

function cacheWritePriceOf({ provider, input, cache_write }: Price): number {
  return cache_write ?? (provider === "anthropic" ? input * ANTHROPIC_CACHE_WRITE : input);
}

/** USD. Null when the price or a count is unknown. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null || usage.input_tokens === null || usage.output_tokens === null) return null;
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
  const kept = Math.min(usage.cache_write_tokens ?? 0, usage.input_tokens - cached);
  return money(
    ((usage.input_tokens - cached - kept) * price.input +
      cached * (price.cached_input ?? price.input) +
      kept * cacheWritePriceOf(price) +
      usage.output_tokens * price.output) /
      1_000_000,
  );
}

interface Tokens {
  input_tokens: number;
  output_tokens: number;
}

/** The most USD that so many tokens may cost, however many go to the cache. Null when the price is unknown. */
export function mostCostOf(tokens: Tokens, price: Price | null): number | null {
  const plain = costOf(tokens, price);
  const kept = costOf({ ...tokens, cache_write_tokens: tokens.input_tokens }, price);
  return plain === null || kept === null ? null : Math.max(plain, kept);
}

/** The part of a request that decides what it may cost. */
interface Estimable {
  messages: readonly Message[];
  tools: readonly ToolDescription[];
  max_output_tokens: number;
}

/** The most tokens that a request may use, which are reserved before it is sent. */
export function tokenEstimateOf({ messages, tools, max_output_tokens }: Estimable): Tokens {
  const input_tokens =
    messages.reduce((sum, message) => sum + messageTokensAtMost(message), 0) +
    tools.reduce((sum, tool) => sum + framedTokensAtMost(JSON.stringify(tool)), 0);
  return { input_tokens, output_tokens: max_output_tokens };
}
