// The throttle of all calls of a run: they wait together when one was refused, and none begins once it is closed.
import type { Clock } from "../ports/clock.ts";
import { Interrupted, type Interruption } from "../ports/interruption.ts";
import type { Random } from "../ports/random.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A call that waits looks this often whether the run is asked to stop. */
const LOOK_MS = 200;

/** Called with the milliseconds that are left. */
type Tell = (leftMs: number) => void;

export class CallThrottle {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #interruption: () => Interruption | null;
  #openAtMs = 0;
  #waitsInARow = 0;
  /** Tells of the wait that began, until somebody waits. */
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

  /** Why no call may begin: the halt that closed it, or that somebody asked the run to stop; null when one may. */
  get refusal(): Interrupted | null {
    const interruption = this.#interruption();
    return this.#closed ?? (interruption === null ? null : new Interrupted(interruption));
  }

  /** Errors: its refusal; the reason of the signal. */
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

  /** How long the next wait is: as the provider asks, or a second; twice as long each time until a call is answered. */
  nextWaitMs(askedMs: number = FIRST_WAIT_MS): number {
    return Math.max(askedMs, Math.min(askedMs * 2 ** this.#waitsInARow, LONGEST_WAIT_MS));
  }

  /**
   * Everybody waits; never all runs up to the same moment. Who was refused beside others waits with them, unless the
   * provider asks for longer. `tell` is called once, when somebody does wait.
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

  /** A call was answered: the next wait begins small again. */
  answered(): void {
    this.#waitsInARow = 0;
  }

  close(halt: Interrupted): void {
    this.#closed ??= halt;
  }
}
