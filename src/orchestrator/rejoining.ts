// Waits for a store that does not answer: the work continues under the same epoch, or the run is handed back.
import { settleLostCalls } from "../conversations/ledger.ts";
import { RunError } from "../kernel/errors.ts";
import type { RefreshOutcome } from "../ports/lease.ts";
import { STORE_PATIENCE_MS } from "../ports/run-log.ts";
import type { Ownership } from "./ownership.ts";

const ASK_AGAIN_MS = 500;

/**
 * Returns once the store has confirmed this owner, or when there is another reason to stop. Errors: `UNAVAILABLE` when the store
 * stays away, or when the lease ran out meanwhile. Then nothing is written, and the run is due again.
 */
export async function rejoin(ownership: Ownership): Promise<void> {
  const { clock } = ownership.ports;
  const untilMs = clock.uptimeMs() + STORE_PATIENCE_MS;
  for (;;) {
    const { interruption } = ownership;
    if (interruption?.kind !== "unreachable") return;
    const leftMs = untilMs - clock.uptimeMs();
    const outcome = leftMs <= 0 ? null : await answerWithin(ownership, leftMs);
    if (outcome?.kind === "refreshed" && !outcome.reclaimed) break;
    if (outcome?.kind === "lost") {
      const { reason, superseded } = outcome;
      return ownership.lose({ kind: "lease_lost", reason, superseded });
    }
    if (outcome === null || outcome.kind === "refreshed") throw unavailable(ownership, interruption.reason);
    await clock.sleep(Math.min(ASK_AGAIN_MS, leftMs));
  }
  ownership.resume();
  await settleLostCalls(ownership);
}

/** What the store says to this owner; null when it has said nothing in time. */
async function answerWithin({ ports: { clock }, writer }: Ownership, ms: number): Promise<RefreshOutcome | null> {
  const timer = new AbortController();
  const refreshed = writer.refresh().catch((error: unknown): RefreshOutcome => {
    if (error instanceof RunError && error.code === "UNAVAILABLE") return { kind: "failed", reason: error.message };
    throw error;
  });
  try {
    return await Promise.race([refreshed, clock.sleep(ms, timer.signal).then(() => null)]);
  } finally {
    timer.abort();
  }
}

export function unavailable(
  { writer }: Pick<Ownership, "writer">,
  reason: string,
  options?: { cause?: unknown },
): RunError {
  return new RunError("UNAVAILABLE", { reason, run_root: writer.runRoot }, options);
}
