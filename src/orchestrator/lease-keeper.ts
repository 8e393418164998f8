// Keeps a lease on a timer of its own while work continues, and reports a loss before the lease can expire.
import { describeCause, RunError } from "../kernel/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Interruption } from "../ports/interruption.ts";
import type { RefreshOutcome } from "../ports/lease.ts";
import type { RunWriter } from "../ports/run-log.ts";
import { STOP_WORK_SHARE } from "../run/lease.ts";
import type { Settings } from "../run/settings/settings.ts";

// --- any lease ----------------------------------------------------------------------------------------------------

export interface HeartbeatFailure {
  code: "LOCK_NOT_HELD" | "LOCK_NOT_OWNED" | "WRITE_FAILED" | "UNAVAILABLE";
  message: string;
  /** `superseded`: another process holds a higher epoch. `unreachable`: the store has not answered. */
  why: "failed" | "superseded" | "unreachable";
  consecutive_failures: number;
}

export interface HeartbeatOptions {
  intervalMs: number;
  /** The length of the lease as it is now. */
  leaseSeconds: () => number;
  maxConsecutiveFailures: number;
  refresh: () => Promise<RefreshOutcome>;
  /** Called once; then the timer stops. */
  onFailure: (failure: HeartbeatFailure) => void;
}

/**
 * Refreshes the lease on a timer, so that a silent call of many minutes keeps it. It ends after a number of failures in a
 * row, when most of the lease has passed since the last refresh that worked, and at once when another process took over.
 * A store that does not answer ends it only once most of the lease has passed.
 */
export function startHeartbeat(clock: Clock, options: HeartbeatOptions): { stop(): void } {
  const { intervalMs, leaseSeconds, maxConsecutiveFailures, refresh, onFailure } = options;
  let failures = 0;
  let refreshedAtMs = clock.uptimeMs();
  let isRefreshing = false;
  let isStopped = false;

  const stop = (): void => {
    isStopped = true;
    timer.stop();
  };
  const end = (failure: Omit<HeartbeatFailure, "consecutive_failures">): void => {
    if (isStopped) return;
    stop();
    onFailure({ ...failure, consecutive_failures: failures });
  };
  const isOverdue = (): boolean => clock.uptimeMs() - refreshedAtMs >= leaseSeconds() * STOP_WORK_SHARE * 1000;
  const beat = async (): Promise<void> => {
    if (isRefreshing) {
      // Past this margin the lease cannot be relied on, even if the refresh that hangs still succeeds.
      if (isOverdue())
        end({ code: "UNAVAILABLE", message: "the lease could not be refreshed in time", why: "unreachable" });
      return;
    }
    isRefreshing = true;
    const startedAtMs = clock.uptimeMs();
    const failure = await failureOf(refresh);
    isRefreshing = false;
    if (failure === null) {
      failures = 0;
      refreshedAtMs = startedAtMs;
      return;
    }
    failures++;
    // A missing `.lock` counts as one failure. After a higher epoch no lease is left to keep. No answer says nothing about it.
    const isFinal = failure.why === "superseded" || (failure.why === "failed" && failures >= maxConsecutiveFailures);
    if (isFinal || isOverdue()) end(failure);
  };

  const timer = clock.every(intervalMs, () => void beat());
  return { stop };
}

async function failureOf(
  refresh: () => Promise<RefreshOutcome>,
): Promise<Omit<HeartbeatFailure, "consecutive_failures"> | null> {
  try {
    const outcome = await refresh();
    if (outcome.kind === "refreshed") return null;
    if (outcome.kind === "failed") return { code: "WRITE_FAILED", message: outcome.reason, why: "failed" };
    return { code: outcome.code, message: outcome.reason, why: outcome.superseded ? "superseded" : "failed" };
  } catch (error) {
    const code = error instanceof RunError ? error.code : null;
    const message = describeCause(error);
    if (code === "LOCK_LOST") return { code: "LOCK_NOT_OWNED", message, why: "superseded" };
    if (code === "UNAVAILABLE") return { code, message, why: "unreachable" };
    return { code: "WRITE_FAILED", message, why: "failed" };
  }
}

// --- the lease of a run -------------------------------------------------------------------------------------------

export interface LeaseKeeper {
  /** Checks whether the lease was lost since the last heartbeat. */
  confirm(): Promise<void>;
  stop(): void;
}

export type LeaseLoss = Extract<Interruption, { kind: "lease_lost" | "unreachable" }>;

/** `onLoss` is called once, when the lease is lost or can no longer be kept. */
export function keepLease(
  clock: Clock,
  writer: RunWriter,
  settings: Settings["lease"],
  onLoss: (loss: LeaseLoss) => void = () => {},
): LeaseKeeper {
  const { lease_seconds, heartbeat_seconds, max_consecutive_failures } = settings;
  let isLost = false;
  const lose = (loss: LeaseLoss): void => {
    if (isLost) return;
    isLost = true;
    heartbeat.stop();
    onLoss(loss);
  };
  const heartbeat = startHeartbeat(clock, {
    intervalMs: Math.min(heartbeat_seconds * 1000, (lease_seconds * STOP_WORK_SHARE * 1000) / 3),
    leaseSeconds: () => lease_seconds,
    maxConsecutiveFailures: max_consecutive_failures,
    refresh: () => writer.refresh(),
    onFailure: ({ message, why }) => {
      if (why === "unreachable") lose({ kind: why, reason: message });
      else if (why === "superseded") lose({ kind: "lease_lost", reason: message, superseded: true });
      else lose({ kind: "lease_lost", reason: `the lease could not be refreshed: ${message}`, superseded: false });
    },
  });
  return {
    async confirm() {
      const lost = isLost ? null : await writer.findLoss();
      if (lost !== null) lose({ kind: "lease_lost", reason: lost.reason, superseded: lost.superseded });
    },
    stop: () => heartbeat.stop(),
  };
}
