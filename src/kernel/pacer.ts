// Pauses long work now and then, so that timers and aborts run meanwhile.

/** The work between two pauses. A heartbeat may be late by 20 ms. */
const SLICE_MS = 8;

export class Pacer {
  private sliceStartedMs = performance.now();
  private readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Has to be called between small pieces of work. Throws the reason of the signal once it has fired. */
  pause(): Promise<void> | undefined {
    this.signal.throwIfAborted();
    if (performance.now() - this.sliceStartedMs < SLICE_MS) return undefined;
    return this.turn();
  }

  private async turn(): Promise<void> {
    // Timers fire only between macrotasks, so a promise would not do.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.sliceStartedMs = performance.now();
    this.signal.throwIfAborted();
  }
}
