// The execution states of a run and the only table of the changes between them.
import { z } from "../kernel/schema.ts";

export const executionStateSchema = z.enum([
  "idle",
  "running",
  "paused",
  "interrupted",
  "completed",
  "aborted",
  "failed",
]);
export type ExecutionState = z.infer<typeof executionStateSchema>;

export const ALLOWED_CHANGES: Record<ExecutionState, readonly ExecutionState[]> = {
  idle: ["running"],
  running: ["paused", "interrupted", "completed", "aborted", "failed"],
  paused: ["running", "aborted", "failed"],
  interrupted: ["running", "paused", "aborted", "failed"],
  completed: [],
  aborted: [],
  failed: [],
};

export function mayChange(from: ExecutionState, to: ExecutionState): boolean {
  return ALLOWED_CHANGES[from].includes(to);
}

/** True when research has ended for good; only reports may still be made. */
export function isTerminal(state: ExecutionState): boolean {
  return ALLOWED_CHANGES[state].length === 0;
}

/** States in which a person may ask for a further report version: the run has begun, and nobody works on it. */
export function mayReportManually(state: ExecutionState, halt: unknown): boolean {
  return state === "running" ? halt !== null : state !== "idle";
}

interface RunFacts {
  execution_state: ExecutionState;
  tick: { is_open: boolean };
  halt: unknown;
}

/** Who holds the run, and what an owner left that never released it; null stands for neither. */
interface LeaseFacts {
  held: unknown;
  stale: unknown;
}

/**
 * The state a reader is shown. A running run that no living owner holds was interrupted when its tick is still open, or
 * when an owner never released the lease and no later one wrote that down: it died before its first tick, or while it
 * read the corpus. A halted run only waits, so its owner's death interrupted nothing.
 */
export function deriveState(run: RunFacts, lease: LeaseFacts): ExecutionState {
  if (run.execution_state !== "running" || lease.held !== null) return run.execution_state;
  const diedBetweenTicks = lease.stale !== null && run.halt === null;
  return run.tick.is_open || diedBetweenTicks ? "interrupted" : "running";
}

/** True when the owner from which this one took the lease died at work. */
export function isLeftAtWork(run: RunFacts, tookOver: unknown): boolean {
  return deriveState(run, { held: null, stale: tookOver ?? null }) !== run.execution_state;
}

/** What the living owner of a running run does; `none` where no owner works. */
export type Activity = "held" | "ticking" | "none";

/** `held`: an owner without an open tick reads the corpus before its first tick, or makes one small change. */
export function activityOf(run: RunFacts, lease: LeaseFacts): Activity {
  if (run.execution_state !== "running" || lease.held === null || run.halt !== null) return "none";
  return run.tick.is_open ? "ticking" : "held";
}
