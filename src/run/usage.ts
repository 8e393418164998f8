// The usage of a run: calls, tokens and money, settled and reserved.
import { z } from "../kernel/schema.ts";
import { countSchema } from "./common.ts";

export const usageSchema = z.object({
  /** Calls begun. */
  calls: countSchema,
  /** Tokens and cost are those of settled calls. */
  tokens: countSchema,
  cost_usd: z.number().min(0),
  /** Of calls that are under way, or were cut off and are not settled yet. */
  reserved_usd: z.number().min(0),
  reserved_tokens: countSchema.optional(),
  /** Settled calls whose price is not known: they stand in no sum of money. */
  unpriced_calls: countSchema.optional(),
  /** Settled calls whose provider gave no figures: in the sums with the most that they can have used. Absent: none. */
  estimated_calls: countSchema.optional(),
  cached_input_tokens: countSchema.optional(),
  /** Kept by the provider for later requests. Absent: none. */
  cache_write_tokens: countSchema.optional(),
  /** Milliseconds worked, over all ticks that ended. */
  worked_ms: z.number().min(0).optional(),
});
export type Usage = z.infer<typeof usageSchema>;
export const NO_USAGE: Usage = { calls: 0, tokens: 0, cost_usd: 0, reserved_usd: 0 };

/** US dollars to a millionth of a cent, so that adding and taking away comes back to nothing. */
export function money(amount: number): number {
  return Math.round(amount * 1e8) / 1e8;
}
