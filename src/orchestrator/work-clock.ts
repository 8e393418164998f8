// The clock of the work done: time that passes under a live lease, which no sleep of the host is.
import type { Clock } from "../ports/clock.ts";

export class WorkClock {
  readonly #clock: Pick<Clock, "uptimeMs">;
  /** Between two looks at most one lease counts: a process that was away for longer held no lease meanwhile. */
  readonly #leaseMs: number;
  #lookedAtMs: number;
  #workedMs = 0;

  constructor(clock: Pick<Clock, "uptimeMs">, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#lookedAtMs = clock.uptimeMs();
  }

  /** Milliseconds worked since the last restart; asked for again and again, so that a sleep is told from work. */
  elapsedMs(): number {
    const nowMs = this.#clock.uptimeMs();
    this.#workedMs += Math.min(nowMs - this.#lookedAtMs, this.#leaseMs);
    this.#lookedAtMs = nowMs;
    return this.#workedMs;
  }

  restart(): void {
    this.#lookedAtMs = this.#clock.uptimeMs();
    this.#workedMs = 0;
  }
}
