// The throttle of all calls of a run. When one was refused, all wait. Once it is closed, no call begins.
import type { Clock } from "../ports/clock.ts";
import { Interrupted, type Interruption } from "../ports/interruption.ts";
import type { Random } from "../ports/random.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** How often a waiting call checks whether the run has to stop. */
const CHECK_MS = 200;

/** Called with the milliseconds that are left. */
type ReportWait = (leftMs: number) => void;

export class CallThrottle {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #interruption: () => Interruption | null;
  #openAtMs = 0;
  #waitsInARow = 0;
  /** Reports the current wait; null once that was done. */
  #unreported: ReportWait | null = null;
  #closed: Interrupted | null = null;

  constructor(clock: Clock, random: Random, interruption: () => Interruption | null) {
    this.#clock = clock;
    this.#random = random;
    this.#interruption = interruption;
  }

  /** Waits since a call was last answered. */
  get waitsInARow(): number {
    return this.#waitsInARow;
  }

  /** Why no call may begin: a halt closed the throttle, or the run has to stop. Null when a call may begin. */
  get refusal(): Interrupted | null {
    const interruption = this.#interruption();
    return this.#closed ?? (interruption === null ? null : new Interrupted(interruption));
  }

  /** Resolves when a call may begin. Errors: the refusal; the reason of the signal. */
  async pass(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (this.refusal !== null) throw this.refusal;
      const waitMs = this.#openAtMs - this.#clock.uptimeMs();
      if (waitMs <= 0) return;
      this.#unreported?.(waitMs);
      this.#unreported = null;
      await this.#clock.sleep(Math.min(waitMs, CHECK_MS), signal);
    }
  }

  /** How long the next wait is: as the provider requests, or a second, doubled each time until a call is answered. */
  nextWaitMs(requestedMs: number = FIRST_WAIT_MS): number {
    return Math.max(requestedMs, Math.min(requestedMs * 2 ** this.#waitsInARow, LONGEST_WAIT_MS));
  }

  /**
   * Makes all calls wait. Chance is added, so that not all runs continue at the same moment. When a wait is under way already,
   * it stays as it is, unless the provider requests a longer one. `report` is called once, when a call does wait.
   */
  slowDown(requestedMs: number | undefined, report: ReportWait = () => {}): void {
    const nowMs = this.#clock.uptimeMs();
    const isUnderWay = this.#openAtMs > nowMs;
    if (isUnderWay && this.#openAtMs >= nowMs + (requestedMs ?? 0)) return;
    const leastMs = isUnderWay ? (requestedMs ?? 0) : this.nextWaitMs(requestedMs);
    const [byte = 0] = this.#random.bytes(1);
    const waitMs = Math.ceil(leastMs * (1 + byte / 255 / 4));
    if (!isUnderWay) this.#waitsInARow++;
    this.#openAtMs = nowMs + waitMs;
    this.#unreported = report;
  }

  /** A call was answered, so the next wait is short again. */
  answered(): void {
    this.#waitsInARow = 0;
  }

  close(halt: Interrupted): void {
    this.#closed ??= halt;
  }
}
