// A clock that counts only time under a live lease: not the time in which the host sleeps.
import type { Clock } from "../ports/clock.ts";

export class WorkClock {
  readonly #clock: Pick<Clock, "uptimeMs">;
  /** Between two readings at most this much counts: a process that was away for longer had lost its lease. */
  readonly #leaseMs: number;
  #lookedAtMs: number;
  #workedMs = 0;

  constructor(clock: Pick<Clock, "uptimeMs">, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#lookedAtMs = clock.uptimeMs();
  }

  /** Milliseconds worked since the last restart. It has to be read often, so that a sleep is not taken for work. */
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
