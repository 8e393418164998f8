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

const FIRST_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** RFC 3339 in UTC with milliseconds. It has years of four digits: a clock beyond them is wrong, and gets the nearest. */
export function timestamp(ms: number): string {
  return new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
}

/** The same, never before `earlier`: the times of a run do not go back, whatever its clocks do. */
export function timestampAfter(earlier: string, ms: number): string {
  const now = timestamp(ms);
  return now < earlier ? earlier : now;
}
