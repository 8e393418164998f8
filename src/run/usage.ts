// What a run has spent: calls, tokens and money, settled and reserved.
import { z } from "../kernel/schema.ts";
import { countSchema } from "./common.ts";
import type { RecordData } from "./record.ts";

export const usageSchema = z.object({
  /** Calls begun. */
  calls: countSchema,
  /** Of settled calls. */
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

export function withReserved(usage: Usage, { tokens, cost_usd }: RecordData<"usage.reserved">): Usage {
  return {
    ...usage,
    calls: usage.calls + 1,
    reserved_usd: money(usage.reserved_usd + (cost_usd ?? 0)),
    reserved_tokens: (usage.reserved_tokens ?? 0) + tokens,
  };
}

export function withSettled(usage: Usage, settled: RecordData<"usage.settled">): Usage {
  const { reserved, tokens, cost_usd } = settled;
  const kept = (usage.cache_write_tokens ?? 0) + (settled.usage?.cache_write_tokens ?? 0);
  return {
    ...usage,
    tokens: usage.tokens + tokens,
    cost_usd: money(usage.cost_usd + (cost_usd ?? 0)),
    reserved_usd: money(Math.max(0, usage.reserved_usd - (reserved.cost_usd ?? 0))),
    reserved_tokens: Math.max(0, (usage.reserved_tokens ?? 0) - reserved.tokens),
    unpriced_calls: (usage.unpriced_calls ?? 0) + (cost_usd === null ? 1 : 0),
    ...(settled.is_estimate === true ? { estimated_calls: (usage.estimated_calls ?? 0) + 1 } : {}),
    cached_input_tokens: (usage.cached_input_tokens ?? 0) + (settled.usage?.cached_input_tokens ?? 0),
    ...(kept === 0 ? {} : { cache_write_tokens: kept }),
  };
}

export function withWorked(usage: Usage, tickMs: number): Usage {
  return tickMs === 0 ? usage : { ...usage, worked_ms: (usage.worked_ms ?? 0) + tickMs };
}

/** US dollars to a millionth of a cent, so that adding and taking away comes back to nothing. */
export function money(amount: number): number {
  return Math.round(amount * 1e8) / 1e8;
}
