// Work handed in from outside: refused, before anything is written, where a tick would not work either.
import { RunError } from "../kernel/errors.ts";
import type { RunLook } from "../ports/run-log.ts";
import { isTerminal } from "../run/lifecycle.ts";
import { haltError } from "./work-outcome.ts";

/** Errors: `RUN_TERMINAL`, `PAUSED`, or the code of the halt that stands. */
export function refuseIdleHands(run: RunLook): void {
  const { state, runRoot } = run;
  if (isTerminal(state)) throw new RunError("RUN_TERMINAL", { reason: "the run has ended", state, run_root: runRoot });
  if (state === "paused") throw new RunError("PAUSED", { reason: "the run is paused", state, run_root: runRoot });
  const halt = haltError(run);
  if (halt !== null) throw new RunError(halt.code, halt.facts);
}
