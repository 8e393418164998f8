// An error in words, with the next steps. Where the run is known, they come from its stored halt or its state.
import type { ErrorCode, ErrorFacts } from "../kernel/errors.ts";
import { isRepaired } from "../operations/look/repair-steps.ts";
import type { Standing } from "../operations/look/standing.ts";
import { settledStanding } from "../operations/look/triage-run.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-log.ts";
import { HALT_CODES } from "../run/log/halt.ts";
import { factsOfHalt, haltSteps } from "../run/next-steps/halt-steps.ts";
import { adviceLine, type Advice, type WriteStep } from "./advice.ts";
import type { Envelope } from "./envelope.ts";
import { firstOn, hasNotBegun } from "./error-hints.ts";
import { errorEntry } from "./error-table.ts";
import { firstIn } from "./state-words.ts";

interface ShownCode {
  code: ErrorCode;
  facts: ErrorFacts;
}

export interface ErrorReport {
  error: NonNullable<Envelope["error"]>;
  /** The hint of the error, in steps. */
  advice: Advice;
}

export function errorReport(
  { code, facts }: ShownCode,
  write: WriteStep,
  runRoot?: string,
  run: RunLook | null = null,
  standing: Standing | null = null,
): ErrorReport {
  const { retryable, message, hint } = errorEntry(code);
  const details = runRoot === undefined ? facts : { run_root: runRoot, ...facts };
  // A repair has seen this damage: to offer it again would lead in a circle.
  const { files } = facts;
  const isBeyondRepair = run !== null && Array.isArray(files) && isRepaired(run, files as { path: string }[]);
  const advice =
    haltAdvice(code, run) ??
    (standing === null ? null : { first: firstIn(standing), steps: standing.next }) ??
    hint(isBeyondRepair ? { ...details, repaired: true } : details);
  const words = adviceLine(advice, write);
  return { error: { code, message: message(facts), details, retryable, hint: words }, advice };
}

/** Null for an error that is not the run's halt. */
function haltAdvice(code: ErrorCode, run: RunLook | null): Advice | null {
  const halt = run?.manifest.halt ?? null;
  if (run === null || halt === null) return null;
  const known = factsOfHalt(halt);
  if (HALT_CODES[known.kind] !== code) return null;
  return { first: firstOn(known), steps: haltSteps(known, run.runRoot, run.manifest) };
}

/** As `errorReport`. Where the error is about the state of a known run, the next steps are those of `status`. */
export async function errorReportOfRun(
  error: ShownCode,
  write: WriteStep,
  runRoot: string | undefined,
  run: RunLook | null,
  ports: Ports | null,
): Promise<ErrorReport> {
  const isOfState = error.code === "RUN_TERMINAL" || error.code === "INVALID_STATE";
  const knows = run !== null && ports !== null && isOfState && !hasNotBegun(error.facts);
  return errorReport(error, write, runRoot, run, knows ? await settledStanding(ports, run) : null);
}
