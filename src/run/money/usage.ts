// The usage of a run: calls, tokens and money, settled and reserved.
import { z } from "../../kernel/zod.ts";
import { countSchema } from "../common.ts";

export const usageSchema = z.object({
  /** Calls begun. */
  calls: countSchema,
  /** Tokens and cost are those of settled calls. */
  tokens: countSchema,
  cost_usd: z.number().min(0),
  /** Reserved for calls that are under way, or that were cut off and are not settled yet. */
  reserved_usd: z.number().min(0),
  reserved_tokens: countSchema.optional(),
  /** Settled calls of unknown price. No sum of money includes them. */
  unpriced_calls: countSchema.optional(),
  /** Settled calls for which the provider gave no figures. The sums include the most that they can have used. */
  estimated_calls: countSchema.optional(),
  cached_input_tokens: countSchema.optional(),
  /** Written to the provider's cache. */
  cache_write_tokens: countSchema.optional(),
  /** Milliseconds worked, over all ticks that ended. */
  worked_ms: z.number().min(0).optional(),
});
export type Usage = z.infer<typeof usageSchema>;
export const NO_USAGE: Usage = { calls: 0, tokens: 0, cost_usd: 0, reserved_usd: 0 };

/** Rounds US dollars to a millionth of a cent, so that adding an amount and taking it away gives zero. */
export function money(amount: number): number {
  return Math.round(amount * 1e8) / 1e8;
}
