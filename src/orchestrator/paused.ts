// The pause before a step is tried again.
import type { Clock } from "../ports/clock.ts";

/** Waits before the next attempt; false when the work was stopped meanwhile. */
export async function paused(clock: Clock, signal: AbortSignal, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
