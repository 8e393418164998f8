// The spending of a run on models: calls, tokens, money and cache hits, for the whole run, by stage, by step and by call.
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import type { AnyRecord, JournalRecord } from "../../run/log/record.ts";
import type { Stage } from "../../run/stage.ts";
import { NO_USAGE, type Usage } from "../../run/money/usage.ts";
import { withReserved, withSettled } from "../../run/log/usage-sums.ts";

export interface Spending {
  run: Usage;
  stages: Partial<Record<Stage, Usage>>;
  steps: Record<string, Usage>;
  /** The part of calls that were cut off. Each is charged as it was reserved, which is the most that it can have cost. */
  lost: Usage;
}

export async function spendingOf({ store }: Pick<Ports, "store">, { runRoot, manifest }: RunLook): Promise<Spending> {
  const spending: Spending = { run: manifest.usage, stages: {}, steps: {}, lost: NO_USAGE };
  // A run that called no model need not have its journal read.
  if (manifest.usage.calls === 0) return spending;
  for (const record of await store.records(runRoot)) {
    if (record.kind !== "usage.reserved" && record.kind !== "usage.settled") continue;
    const { key, stage } = record.data;
    const spent = (before: Usage = NO_USAGE): Usage =>
      record.kind === "usage.reserved" ? withReserved(before, record.data) : withSettled(before, record.data);
    spending.stages[stage] = spent(spending.stages[stage]);
    spending.steps[key] = spent(spending.steps[key]);
    if (record.kind === "usage.settled" && record.data.outcome === "lost")
      spending.lost = spent({ ...spending.lost, calls: spending.lost.calls + 1 });
  }
  return spending;
}

// --- the calls of one step ----------------------------------------------------------------------------------------

type Reserved = Extract<JournalRecord, { kind: "usage.reserved" }>;
type Settled = Extract<JournalRecord, { kind: "usage.settled" }>;
export type ModelCallView = ReturnType<typeof viewOf>;

/** Calls in the order in which they were begun, those of earlier attempts too. */
export function modelCallsOf(records: readonly AnyRecord[], key: string): ModelCallView[] {
  const settled = new Map(
    records.flatMap((record) =>
      record.kind === "usage.settled" ? [[record.data.reservation_id, record] as const] : [],
    ),
  );
  return records.flatMap((record) =>
    record.kind === "usage.reserved" && record.data.key === key
      ? [viewOf(record, settled.get(record.data.reservation_id))]
      : [],
  );
}

/** A call without `end` is under way, or was cut off and is not settled yet. */
function viewOf({ data, ts }: Reserved, end: Settled | undefined) {
  const { reservation_id, role, model, tokens, cost_usd } = data;
  const settled = end?.data;
  return {
    reservation_id,
    role,
    model,
    begun_at: ts,
    ended_at: end?.ts ?? null,
    outcome: settled?.outcome ?? null,
    /** Figures of the provider; null where it gives none, or has not yet. */
    input_tokens: settled?.usage?.input_tokens ?? null,
    output_tokens: settled?.usage?.output_tokens ?? null,
    cached_input_tokens: settled?.usage?.cached_input_tokens ?? null,
    cache_write_tokens: settled?.usage?.cache_write_tokens ?? null,
    /** The charge. Null until it is settled; the cost also where the price is not known. */
    tokens: settled?.tokens ?? null,
    cost_usd: settled?.cost_usd ?? null,
    reserved: { tokens, cost_usd },
  };
}
