// prices.v1: what models cost, as of a date, and what a call cost or may cost. An unknown price is never zero.
import { z } from "../kernel/schema.ts";
import type { Message } from "./conversation.ts";
import { type Model, type ToolDescription, type Usage } from "./model.ts";
import { modelProviderSchema } from "./model-provider.ts";
import { money } from "./usage.ts";
import { framedTokensAtMost, messageTokensAtMost } from "./token-bound.ts";

const usdSchema = z.number().min(0).max(1_000_000);

/**
 * USD per million tokens. Without `cached_input`, cached tokens cost what others do; without `cache_write`, those that the
 * provider kept cost what it asks for them in general.
 */
export const priceSchema = z.object({
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

/** The price of a model: of the user's tables first, the later table before the earlier. Null: unknown. */
export function priceOf(model: Pick<Model, "provider" | "name">, ...tables: readonly Prices[]): Price | null {
  const prices = tables.toReversed().flatMap(({ models }) => models);
  return prices.find(({ provider, name }) => provider === model.provider && name === model.name) ?? null;
}

/** Times the price of input. The others ask no more for what they keep. */
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

/** USD that so many tokens may cost, whatever the provider keeps of them. Null when the price is unknown. */
export function mostCostOf(
  tokens: { input_tokens: number; output_tokens: number },
  price: Price | null,
): number | null {
  const plain = costOf(tokens, price);
  const kept = costOf({ ...tokens, cache_write_tokens: tokens.input_tokens }, price);
  return plain === null || kept === null ? null : Math.max(plain, kept);
}

/** The part of a request that decides what it may cost. */
export interface Estimable {
  messages: readonly Message[];
  tools: readonly ToolDescription[];
  max_output_tokens: number;
}

/** The most tokens that a request may use: what to reserve before it is sent. */
export function tokenEstimateOf({ messages, tools, max_output_tokens }: Estimable): {
  input_tokens: number;
  output_tokens: number;
} {
  const input_tokens =
    messages.reduce((sum, message) => sum + messageTokensAtMost(message), 0) +
    tools.reduce((sum, tool) => sum + framedTokensAtMost(JSON.stringify(tool)), 0);
  return { input_tokens, output_tokens: max_output_tokens };
}
