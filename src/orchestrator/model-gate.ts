// What all calls of a run pass: they wait together when a provider says so, and none starts once it is closed.
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { HaltWanted } from "./halt-wanted.ts";
import { StopWanted } from "./stop-wanted.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** How long somebody who waits does not look whether the run is asked to stop. */
const LOOK_MS = 200;

export class ModelGate {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #isStopped: () => boolean;
  #openAtMs = 0;
  #slowdowns = 0;
  #closed: HaltWanted | null = null;

  constructor(clock: Clock, random: Random, isStopped: () => boolean) {
    this.#clock = clock;
    this.#random = random;
    this.#isStopped = isStopped;
  }

  /** Errors: the halt that closed it; `StopWanted` when somebody asked the run to pause; the reason of the signal. */
  async pass(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed !== null) throw this.#closed;
      if (this.#isStopped()) throw new StopWanted();
      const waitMs = this.#openAtMs - this.#clock.uptimeMs();
      if (waitMs <= 0) return;
      await this.#clock.sleep(Math.min(waitMs, LOOK_MS), signal);
    }
  }

  /** Everybody waits: as long as the provider says, else longer each time; never all up to the same moment. */
  slowDown(retryAfterMs: number | undefined): void {
    const grownMs = Math.min(FIRST_WAIT_MS * 2 ** this.#slowdowns++, LONGEST_WAIT_MS);
    const waitMs = retryAfterMs ?? grownMs;
    const [byte = 0] = this.#random.bytes(1);
    const jitterMs = (waitMs / 4) * (byte / 255);
    this.#openAtMs = Math.max(this.#openAtMs, this.#clock.uptimeMs() + waitMs + jitterMs);
  }

  /** A call was answered: the next wait begins small again. */
  answered(): void {
    this.#slowdowns = 0;
  }

  close(halt: HaltWanted): void {
    this.#closed ??= halt;
  }
}
