// The clock of the work done: time that passes under a live lease, which no sleep of the host is.
import type { Clock } from "../ports/clock.ts";

export interface WorkClock {
  /** Milliseconds worked since the last restart; asked for again and again, so that a sleep is told from work. */
  elapsedMs(): number;
  restart(): void;
  /** Counts nothing until that is over. */
  standStill(waiting: Promise<void>): Promise<void>;
}

/** Between two looks at most one lease counts: whoever was away for longer held nothing in the meantime. */
export function workClock(clock: Pick<Clock, "uptimeMs">, leaseMs: number): WorkClock {
  let lookedAtMs = clock.uptimeMs();
  let workedMs = 0;
  let waits = 0;
  const elapsedMs = (): number => {
    const nowMs = clock.uptimeMs();
    if (waits === 0) workedMs += Math.min(nowMs - lookedAtMs, leaseMs);
    lookedAtMs = nowMs;
    return workedMs;
  };
  return {
    elapsedMs,
    async standStill(waiting) {
      elapsedMs();
      waits++;
      try {
        await waiting;
      } finally {
        elapsedMs();
        waits--;
      }
    },
    restart() {
      lookedAtMs = clock.uptimeMs();
      workedMs = 0;
    },
  };
}
