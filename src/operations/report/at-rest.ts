// Refuses operations that need a run at rest while it is at work, seen before the lease and under it, and those that are interrupted.
import { RunError, type Fault } from "../../kernel/errors.ts";
import { ownerGone } from "../../orchestrator/left-open.ts";
import type { Ownership } from "../../orchestrator/ownership.ts";
import { unavailable } from "../../orchestrator/rejoining.ts";
import { heedStop } from "../../orchestrator/stopping.ts";
import { Interrupted } from "../../ports/interruption.ts";
import { given } from "../../kernel/given.ts";
import { HALTS } from "../../run/log/halt-kinds.ts";
import { mayReportManually, type ExecutionState } from "../../run/log/lifecycle.ts";

/** `what` is for the message: "reports are made". Errors: `INVALID_STATE` for a run that is at work or has not begun. */
export function refuseUnlessAtRest(state: ExecutionState, halt: unknown, run_root: string, what: string): void {
  if (mayReportManually(state, halt)) return;
  const reason = `${what} while a run is paused, halted, interrupted or ended`;
  throw new RunError("INVALID_STATE", { reason, state, run_root });
}

/** As `refuseUnlessAtRest`, under the lease. First it notes that the owner before is gone. */
export async function refuseUnlessStill(ownership: Ownership, what: string): Promise<void> {
  const { writer } = ownership;
  const found = await ownerGone(ownership);
  if (found.length > 0) await writer.commit(found);
  const { execution_state, halt } = writer.manifest;
  refuseUnlessAtRest(execution_state, halt, writer.runRoot, what);
}

/** An interruption ends only the operation: the run was not at work. Errors: what the interruption means. */
export async function refuseInterrupted(error: unknown, ownership: Ownership): Promise<never> {
  const { writer, signal } = ownership;
  const met = error instanceof Interrupted ? error.interruption : null;
  const why = signal.aborted ? ownership.interruption : met;
  if (why === null) throw error;
  const run_root = writer.runRoot;
  const cause = { cause: error };
  switch (why.kind) {
    case "halt": {
      const { kind, details, retry_at } = why.halt;
      const facts = { ...details, run_root, ...given({ retry_at }) };
      throw new RunError<Fault>(HALTS[kind].code, facts, cause);
    }
    case "interrupt":
    case "terminate":
      throw new RunError("INTERRUPTED_BY_SIGNAL", { signal: why.kind === "terminate" ? "SIGTERM" : "SIGINT" }, cause);
    case "lease_lost":
      throw new RunError("LOCK_LOST", { reason: why.reason, superseded: why.superseded, run_root }, cause);
    case "unreachable":
      throw unavailable(ownership, why.reason, cause);
    case "late":
      throw new RunError("INTERRUPTED_BY_SIGNAL", { reason: why.kind }, cause);
    case "pause":
    case "abort": {
      // The request had waited for an owner that is gone: it is done now.
      await heedStop(ownership);
      const state = writer.manifest.execution_state;
      throw new RunError(why.kind === "pause" ? "PAUSED" : "RUN_TERMINAL", { state, run_root }, cause);
    }
  }
}
