// Lets timers and aborts run while a long piece of work goes on.

/** Work done in one go before others get their turn; leaves room below the 20 ms that a heartbeat tolerates. */
const SLICE_MS = 8;

export class Pacer {
  private sliceStartedMs = performance.now();
  private readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** To be called between small pieces of work. Throws the signal's reason once it has fired. */
  pause(): Promise<void> | undefined {
    this.signal.throwIfAborted();
    if (performance.now() - this.sliceStartedMs < SLICE_MS) return undefined;
    return this.turn();
  }

  private async turn(): Promise<void> {
    // setImmediate, not a promise: only a macrotask lets timers fire.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.sliceStartedMs = performance.now();
    this.signal.throwIfAborted();
  }
}
