// A heartbeat for a lease that somebody else works under: refreshes on a timer, and says once when that keeps failing.
import { describeCause } from "../kernel/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { HeldLease } from "../ports/lease-store.ts";
import { STOP_WORK_SHARE } from "../run/lease.ts";

export interface HeartbeatFailure {
  code: "LOCK_NOT_HELD" | "LOCK_NOT_OWNED" | "WRITE_FAILED";
  message: string;
  details: Record<string, unknown>;
}

export interface HeartbeatOptions {
  intervalMs: number;
  /** The length that each refresh asks for; missing keeps the one that the lease has. */
  leaseSeconds?: number;
  maxConsecutiveFailures: number;
  /** Called once; then the timer stops. */
  onFailure: (failure: HeartbeatFailure) => void;
}

/** Failures are counted in a row, a refresh that works starts the count anew. */
export function startHeartbeat(clock: Clock, lease: HeldLease, options: HeartbeatOptions): { stop(): void } {
  const { intervalMs, leaseSeconds, maxConsecutiveFailures, onFailure } = options;
  let failures = 0;
  let startedAtMs: number | null = null;
  let isStopped = false;

  const stop = (): void => {
    isStopped = true;
    timer.stop();
  };
  const end = (failure: Omit<HeartbeatFailure, "details">): void => {
    if (isStopped) return;
    stop();
    const { owner_id, epoch } = lease.record;
    onFailure({ ...failure, details: { consecutive_failures: failures, owner_id, epoch } });
  };
  const beat = async (): Promise<void> => {
    if (startedAtMs !== null) {
      // The refresh before this one still hangs: past the margin nobody can count on the lease any more.
      const isOverdue = clock.uptimeMs() - startedAtMs >= lease.record.lease_seconds * STOP_WORK_SHARE * 1000;
      if (isOverdue) end({ code: "WRITE_FAILED", message: "the lease could not be refreshed in time" });
      return;
    }
    startedAtMs = clock.uptimeMs();
    const failure = await refreshFailure(lease, leaseSeconds);
    startedAtMs = null;
    failures = failure === null ? 0 : failures + 1;
    if (failure !== null && failures >= maxConsecutiveFailures) end(failure);
  };

  const timer = clock.every(intervalMs, () => void beat());
  return { stop };
}

async function refreshFailure(
  lease: HeldLease,
  leaseSeconds: number | undefined,
): Promise<Omit<HeartbeatFailure, "details"> | null> {
  try {
    const outcome = await lease.refresh(leaseSeconds);
    if (outcome.kind === "refreshed") return null;
    return { code: outcome.kind === "lost" ? outcome.code : "WRITE_FAILED", message: outcome.reason };
  } catch (error) {
    return { code: "WRITE_FAILED", message: describeCause(error) };
  }
}
