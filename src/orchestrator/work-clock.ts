// The clock of the work done: time that passes under a live lease, which no sleep of the host is.
import type { Clock } from "../ports/clock.ts";

export interface WorkClock {
  /** Milliseconds worked since the last restart; asked for again and again, so that a sleep is told from work. */
  elapsedMs(): number;
  restart(): void;
}

/** Between two looks at most one lease counts: whoever was away for longer held nothing in the meantime. */
export function workClock(clock: Pick<Clock, "uptimeMs">, leaseMs: number): WorkClock {
  let lookedAtMs = clock.uptimeMs();
  let workedMs = 0;
  return {
    elapsedMs() {
      const nowMs = clock.uptimeMs();
      workedMs += Math.min(nowMs - lookedAtMs, leaseMs);
      lookedAtMs = nowMs;
      return workedMs;
    },
    restart() {
      lookedAtMs = clock.uptimeMs();
      workedMs = 0;
    },
  };
}
