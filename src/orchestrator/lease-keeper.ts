// Keeps the lease while work goes on, whatever the work does, and stops the work before the lease can expire.
import { describeCause, RunError } from "../kernel/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunWriter } from "../ports/run-log.ts";
import { STOP_WORK_SHARE } from "../run/lease.ts";
import type { Settings } from "../run/settings.ts";

export interface Loss {
  code: "LOCK_LOST";
  reason: string;
  /** True when another process holds a higher epoch: then this one writes nothing more. */
  superseded: boolean;
}

export interface LeaseKeeper {
  /** Fires when the lease is lost or can no longer be kept. */
  readonly signal: AbortSignal;
  readonly loss: Loss | null;
  /** Checks that the lease is still held: it may have been lost since the last heartbeat. */
  confirm(): Promise<void>;
  stop(): void;
}

/** Refreshes on a timer of its own: a silent call of many minutes keeps its lease. */
export function keepLease(clock: Clock, writer: RunWriter, settings: Settings["lease"]): LeaseKeeper {
  const { lease_seconds, heartbeat_seconds, max_consecutive_failures } = settings;
  const stopWorkMs = lease_seconds * STOP_WORK_SHARE * 1000;
  const intervalMs = Math.min(heartbeat_seconds * 1000, stopWorkMs / 3);
  const controller = new AbortController();
  let loss: Loss | null = null;
  let failures = 0;
  let refreshedAtMs = clock.uptimeMs();
  let isRefreshing = false;

  const lose = (reason: string, superseded: boolean): void => {
    if (loss !== null) return;
    loss = { code: "LOCK_LOST", reason, superseded };
    timer.stop();
    controller.abort(new RunError("LOCK_LOST", { reason, superseded }));
  };

  const beat = async (): Promise<void> => {
    if (loss !== null) return;
    if (isRefreshing) {
      // The refresh itself hangs: past the margin the work stops all the same.
      if (clock.uptimeMs() - refreshedAtMs >= stopWorkMs) lose("the lease could not be refreshed in time", false);
      return;
    }
    isRefreshing = true;
    const startedAtMs = clock.uptimeMs();
    try {
      const outcome = await writer.refresh();
      if (outcome.kind === "refreshed") {
        failures = 0;
        refreshedAtMs = startedAtMs;
        return;
      }
      // A missing `.lock` is one failed heartbeat; after a higher epoch no lease is left to keep.
      if (outcome.kind === "lost" && outcome.superseded) lose(outcome.reason, true);
      else fail(outcome.reason);
    } catch (error) {
      if (error instanceof RunError && error.code === "LOCK_LOST") lose(error.message, true);
      else fail(describeCause(error));
    } finally {
      isRefreshing = false;
    }
  };

  const fail = (reason: string): void => {
    failures++;
    const isOverdue = clock.uptimeMs() - refreshedAtMs >= stopWorkMs;
    if (failures >= max_consecutive_failures || isOverdue) lose(`the lease could not be refreshed: ${reason}`, false);
  };

  const timer = clock.every(intervalMs, () => void beat());
  return {
    signal: controller.signal,
    get loss() {
      return loss;
    },
    async confirm() {
      const lost = loss === null ? await writer.findLoss() : null;
      if (lost !== null) lose(lost.reason, lost.superseded);
    },
    stop: () => timer.stop(),
  };
}
