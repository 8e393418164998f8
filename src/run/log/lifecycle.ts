// The execution states of a run, and the table of the changes between them.
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import type { LeasePurpose } from "../lease.ts";

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

/** True when research has ended for good. Reports may still be made. */
export function isTerminal(state: ExecutionState): boolean {
  return ALLOWED_CHANGES[state].length === 0;
}

/** The draft of the record of a change. Errors: `RUN_TERMINAL`, `INVALID_STATE` for a change that the table does not have. */
export function stateChange(from: ExecutionState, to: ExecutionState, reason: string) {
  if (!mayChange(from, to))
    throw new RunError(isTerminal(from) ? "RUN_TERMINAL" : "INVALID_STATE", { state: from, wanted: to });
  return { kind: "state.changed" as const, data: { from, to, reason } };
}

/** True when a person may ask for a further report version: the run has begun, and no process works on it. */
export function mayReportManually(state: ExecutionState, halt: unknown): boolean {
  return state === "running" ? halt !== null : state !== "idle";
}

interface RunFacts {
  execution_state: ExecutionState;
  tick: { is_open: boolean };
  halt: unknown;
}

/** `held`: the lease of a living owner. `stale`: the lease of an owner that never released it. Null for none. */
interface LeaseFacts {
  held: unknown;
  stale: unknown;
}

/**
 * The state that a reader is shown. A running run without a living owner was interrupted when its tick is still open. It was
 * also interrupted when its owner never released the lease and no later owner recorded that: the owner died before its first
 * tick, or while it read the corpus. A halted run only waits, so the death of its owner interrupted nothing.
 */
export function deriveState(run: RunFacts, lease: LeaseFacts): ExecutionState {
  if (run.execution_state !== "running" || lease.held !== null) return run.execution_state;
  const diedBetweenTicks = lease.stale !== null && run.halt === null;
  return run.tick.is_open || diedBetweenTicks ? "interrupted" : "running";
}

/** The state as errors and pages say it: what is stored calls a run that waits behind a halt `running`. */
export function saidState(state: ExecutionState, halt: unknown): ExecutionState | "halted" {
  return state === "running" && halt !== null ? "halted" : state;
}

/** True when the owner before this one died at work. */
export function isLeftAtWork(run: RunFacts, tookOver: unknown): boolean {
  return deriveState(run, { held: null, stale: tookOver ?? null }) !== run.execution_state;
}

/**
 * What the living owner of a run does. `held`: its tick is not open, because it reads the corpus before its first tick or makes
 * one small change. `reporting`: it writes a further report. `none`: no owner works.
 */
export function activityOf(
  run: RunFacts,
  { held }: { held: { purpose: LeasePurpose } | null },
): "held" | "ticking" | "reporting" | "none" {
  if (held?.purpose === "report") return "reporting";
  if (run.execution_state !== "running" || held === null || run.halt !== null) return "none";
  return run.tick.is_open ? "ticking" : "held";
}
