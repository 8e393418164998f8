// An error in words, with the next steps. Where the run is known, they come from its stored halt or its state.
import { isFault, RunError } from "../kernel/errors.ts";
import { isDamage } from "../kernel/damage.ts";
import type { Standing } from "../operations/look/conditions.ts";
import { isRepaired } from "../operations/look/repair-steps.ts";
import { settledStanding } from "../operations/look/triage-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import { HALTS } from "../run/log/halt-kinds.ts";
import { knownHalt } from "../run/log/halt-details.ts";
import { haltSteps } from "../run/next-steps/halt-steps.ts";
import { adviceLine, type Advice, type WriteStep } from "./advice.ts";
import type { Envelope } from "./envelope.ts";
import { isRetryable, sentenceFor } from "./error-table.ts";
import { adviceOn, hasNotBegun } from "./fault-advice.ts";
import { firstAfterHalt } from "./halt-words.ts";
import { firstIn } from "./state-words.ts";

export interface ErrorReport {
  error: NonNullable<Envelope["error"]>;
  /** The hint of the error, in steps. */
  advice: Advice;
}

export function errorReport(
  error: RunError,
  write: WriteStep,
  runRoot?: string,
  run: RunLook | null = null,
  standing: Standing | null = null,
): ErrorReport {
  const known = runRoot === undefined ? error : new RunError(error.fault, { run_root: runRoot, ...error.facts });
  const advice =
    haltAdvice(error, run) ??
    (standing === null ? null : { first: firstIn(standing), steps: standing.next }) ??
    adviceOn(known, { isRepaired: isBeyondRepair(error, run) });
  const { code } = error;
  const hint = adviceLine(advice, write);
  return {
    error: { code, message: sentenceFor(error), details: known.facts, retryable: isRetryable(code), hint },
    advice,
  };
}

/** Null for an error that is not the run's halt. */
function haltAdvice({ code }: RunError, run: RunLook | null): Advice | null {
  const halt = run?.manifest.halt ?? null;
  if (run === null || halt === null) return null;
  const known = knownHalt(halt);
  if (HALTS[known.kind].code !== code) return null;
  return { first: firstAfterHalt(known), steps: haltSteps(known, run.runRoot, run.manifest) };
}

/** True where a repair has seen this damage: to offer it again would lead in a circle. */
function isBeyondRepair(error: RunError, run: RunLook | null): boolean {
  return run !== null && isDamage(error) && isRepaired(run, error.facts.files ?? []);
}

/** As `errorReport`. Where the error is about the state of a known run, the next steps are those of `status`. */
export async function errorReportOfRun(
  error: RunError,
  write: WriteStep,
  runRoot: string | undefined,
  run: RunLook | null,
  ports: Ports | null,
): Promise<ErrorReport> {
  const isOfState = error.code === "RUN_TERMINAL" || (isFault(error, "INVALID_STATE") && !hasNotBegun(error.facts));
  const knows = run !== null && ports !== null && isOfState;
  return errorReport(error, write, runRoot, run, knows ? await settledStanding(ports, run) : null);
}
