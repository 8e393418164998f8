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

/** Where a person may ask for a further report version. */
export function mayReportManually(state: ExecutionState): boolean {
  return state !== "idle" && state !== "running";
}

/**
 * The state a reader is shown. A run whose last tick began and never ended, and whose lease nobody alive holds, was
 * interrupted, whatever its manifest says.
 */
export function deriveState(facts: {
  recorded: ExecutionState;
  tickIsOpen: boolean;
  leaseIsHeld: boolean;
}): ExecutionState {
  const { recorded, tickIsOpen, leaseIsHeld } = facts;
  return recorded === "running" && tickIsOpen && !leaseIsHeld ? "interrupted" : recorded;
}
