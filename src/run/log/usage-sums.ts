// Adds the calls, tokens, money and time in records to the usage of a run.
import type { RecordData } from "./record.ts";
import { money, type Usage } from "../money/usage.ts";

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
