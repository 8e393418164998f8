// Ends work that takes too long, or during which nothing comes for too long.
import type { Clock } from "../ports/clock.ts";

export class TooSlow extends Error {
  override readonly name = "TooSlow";
}

/** The signal fires with a `TooSlow`, or with the reason of `around`. Has to be disposed of when the work is done. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #limits: { totalMs: number; idleMs: number };
  readonly #abort = new AbortController();
  readonly #timer: { stop(): void };
  readonly #startedMs: number;
  #touchedMs: number;

  constructor(clock: Clock, limits: { totalMs: number; idleMs?: number }, around: AbortSignal) {
    this.#clock = clock;
    this.#limits = { totalMs: limits.totalMs, idleMs: limits.idleMs ?? limits.totalMs };
    this.#startedMs = clock.uptimeMs();
    this.#touchedMs = this.#startedMs;
    this.signal = AbortSignal.any([around, this.#abort.signal]);
    const shortestMs = Math.min(this.#limits.totalMs, this.#limits.idleMs);
    this.#timer = clock.every(Math.max(1, Math.min(LONGEST_CHECK_MS, shortestMs / 4)), () => this.#check());
  }

  /** Begins the idle time anew, since something came. */
  touch(): void {
    this.#touchedMs = this.#clock.uptimeMs();
  }

  /** Awaits the work, but no longer than the deadline. For work that takes no signal. */
  async race<T>(work: Promise<T>): Promise<T> {
    return await abortable(work, this.signal);
  }

  [Symbol.dispose](): void {
    this.#timer.stop();
  }

  #check(): void {
    const { totalMs, idleMs } = this.#limits;
    const now = this.#clock.uptimeMs();
    if (now - this.#startedMs >= totalMs) this.#end(`not finished after ${totalMs / 1000} s`);
    else if (now - this.#touchedMs >= idleMs) this.#end(`nothing came for ${idleMs / 1000} s`);
  }

  #end(why: string): void {
    this.#timer.stop();
    this.#abort.abort(new TooSlow(why));
  }
}

/** How late a deadline may be. */
const LONGEST_CHECK_MS = 500;

/** Awaits the work. Throws the reason of the signal when it fires before. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => {});
  }
}
