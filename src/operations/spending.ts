// The spending of a run: calls, tokens, money and cache hits, of the whole, by stage and by step.
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import type { Stage } from "../run/stage.ts";
import { NO_USAGE, withReserved, withSettled, type Usage } from "../run/usage.ts";

export interface Spending {
  run: Usage;
  stages: Partial<Record<Stage, Usage>>;
  steps: Record<string, Usage>;
  /** Of the whole, calls that were cut off: charged as they were reserved, which is the most that they can have cost. */
  lost: Usage;
}

export async function spendingOf({ store }: Pick<Ports, "store">, { runRoot, manifest }: RunLook): Promise<Spending> {
  const spending: Spending = { run: manifest.usage, stages: {}, steps: {}, lost: NO_USAGE };
  // Where no model is asked, the journal need not be read for it.
  if (manifest.usage.calls === 0) return spending;
  for (const { record } of await store.records(runRoot)) {
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
