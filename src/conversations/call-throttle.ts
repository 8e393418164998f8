// The throttle of all calls of a run. When one was refused, all wait. Once it is closed, no call begins.
import type { Clock } from "../ports/clock.ts";
import { Interrupted, type Interruption } from "../ports/interruption.ts";
import type { Random } from "../ports/random.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A waiting call looks this often whether the run has to stop. */
const LOOK_MS = 200;

/** Called with the milliseconds that are left. */
type Tell = (leftMs: number) => void;

export class CallThrottle {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #interruption: () => Interruption | null;
  #openAtMs = 0;
  #waitsInARow = 0;
  /** Tells of the current wait; null once that was told. */
  #untold: Tell | null = null;
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
      this.#untold?.(waitMs);
      this.#untold = null;
      await this.#clock.sleep(Math.min(waitMs, LOOK_MS), signal);
    }
  }

  /** How long the next wait is: as the provider asks, or a second, doubled each time until a call is answered. */
  nextWaitMs(askedMs: number = FIRST_WAIT_MS): number {
    return Math.max(askedMs, Math.min(askedMs * 2 ** this.#waitsInARow, LONGEST_WAIT_MS));
  }

  /**
   * Makes all calls wait. Chance is added, so that not all runs go on at the same moment. When a wait is under way already,
   * it stays as it is, unless the provider asks for a longer one. `tell` is called once, when a call does wait.
   */
  slowDown(askedMs: number | undefined, tell: Tell = () => {}): void {
    const nowMs = this.#clock.uptimeMs();
    const isUnderWay = this.#openAtMs > nowMs;
    if (isUnderWay && this.#openAtMs >= nowMs + (askedMs ?? 0)) return;
    const leastMs = isUnderWay ? (askedMs ?? 0) : this.nextWaitMs(askedMs);
    const [byte = 0] = this.#random.bytes(1);
    const waitMs = Math.ceil(leastMs * (1 + byte / 255 / 4));
    if (!isUnderWay) this.#waitsInARow++;
    this.#openAtMs = nowMs + waitMs;
    this.#untold = tell;
  }

  /** A call was answered, so the next wait is short again. */
  answered(): void {
    this.#waitsInARow = 0;
  }

  close(halt: Interrupted): void {
    this.#closed ??= halt;
  }
}
