// Two clocks and a timer.

export interface Clock {
  /** Milliseconds since the epoch; may jump. */
  nowMs(): number;
  /** Milliseconds since the host started, sleep included; never jumps. */
  uptimeMs(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when it fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Gives timers, signals and sockets their turn. Adapters that answer at once leave only microtasks between them, and
   * without this a long row of steps would starve the heartbeat.
   */
  turn(): Promise<void>;
  /** Calls back every `ms` until stopped; does not keep the process alive. */
  every(ms: number, callback: () => void): { stop(): void };
}

export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
