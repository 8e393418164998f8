// The outcome of work on a run: the result, the run as it is, and why it stopped short.
import { type Fault, RunError } from "../kernel/errors.ts";
import { given } from "../kernel/given.ts";
import type { Ports } from "../ports/ports.ts";
import type { StopSignals } from "../ports/observer.ts";
import type { RunLook } from "../ports/run-log.ts";
import { isHalted } from "../ports/runs.ts";
import { HALTS } from "../run/log/halt-kinds.ts";
import { knownHalt } from "../run/log/halt-details.ts";
import { reportFiles } from "../run/log/layout.ts";
import { isTerminal } from "../run/log/lifecycle.ts";
import { answeredBy } from "../run/report/report-version.ts";
import type { Outcome, RunResult } from "./outcome.ts";

/**
 * The outcome for a run that has ended; null for any other. Another process committed what is answered here, so it is made
 * durable first.
 */
export async function settledOutcome(
  ports: Pick<Ports, "folders" | "runs">,
  run: RunLook,
): Promise<Outcome<RunResult> | null> {
  const { manifest, runRoot } = run;
  if (isTerminal(run.state)) await ports.folders.makeDurable(runRoot);
  if (run.state === "completed")
    return { result: { ...nothingDone(ports, run, "completed"), already: "already_completed" }, run, error: null };
  if (run.state !== "aborted" && run.state !== "failed") return null;
  const facts = { state: run.state, run_root: runRoot, run_id: manifest.run_id };
  return { result: nothingDone(ports, run, run.state), run, error: new RunError("RUN_TERMINAL", facts) };
}

function nothingDone(ports: Pick<Ports, "runs">, run: RunLook, stopped_by: string): RunResult {
  return { stopped_by, ticks: 0, steps_completed: 0, steps_adopted: 0, ...reportPaths(ports, run) };
}

/** A halt or a pause that a tick respects and a resume lifts; null when a tick may work. */
export function standingOutcome(ports: Pick<Ports, "runs">, run: RunLook): Outcome<RunResult> | null {
  const { manifest, runRoot, state } = run;
  const facts = { run_root: runRoot, run_id: manifest.run_id };
  if (state === "paused")
    return { result: nothingDone(ports, run, "paused"), run, error: new RunError("PAUSED", facts) };
  if (!isHalted(run)) return null;
  return { result: nothingDone(ports, run, "halted"), run, error: haltError(run) };
}

/** Refuses work that a tick would not do either. Errors: `RUN_TERMINAL`, `PAUSED`, or the code of its halt. */
export function refuseStanding(run: RunLook): void {
  const { state, runRoot } = run;
  if (isTerminal(state)) throw new RunError("RUN_TERMINAL", { reason: "the run has ended", state, run_root: runRoot });
  if (state === "paused") throw new RunError("PAUSED", { reason: "the run is paused", state, run_root: runRoot });
  const halt = haltError(run);
  if (halt !== null) throw halt;
}

function haltError({ manifest, runRoot }: RunLook): RunError | null {
  const { halt } = manifest;
  if (halt === null) return null;
  const { kind, details, retry_at } = knownHalt(halt);
  const report_version = manifest.current_report_version_index;
  const about = { stage: halt.stage, report_version, run_id: manifest.run_id, run_root: runRoot };
  return new RunError<Fault>(HALTS[kind].code, { ...details, ...given({ retry_at }), ...about });
}

/** Why driven work stopped before the run completed, where the caller has to know. */
export function shortfall(
  run: RunLook,
  done: Pick<RunResult, "stopped_by">,
  signals?: StopSignals,
): Outcome<RunResult>["error"] {
  const { manifest, runRoot } = run;
  const facts = { run_root: runRoot, run_id: manifest.run_id };
  if (done.stopped_by === "paused" || done.stopped_by === "interrupted") {
    const signal =
      signals?.terminate.aborted === true ? "SIGTERM" : signals?.interrupt.aborted === true ? "SIGINT" : null;
    return signal === null
      ? new RunError("PAUSED", facts)
      : new RunError("INTERRUPTED_BY_SIGNAL", { ...facts, signal });
  }
  switch (done.stopped_by) {
    case "halted":
    case "failed":
      return haltError(run) ?? new RunError("INVALID_STATE", { ...facts, failures: manifest.failures.slice(-1) });
    case "aborted":
      return new RunError("RUN_TERMINAL", { ...facts, state: "aborted" });
    default:
      return null;
  }
}

/** Where the current report version is, absolute. */
export function reportPaths(
  { runs }: Pick<Ports, "runs">,
  { manifest, runRoot }: Pick<RunLook, "manifest" | "runRoot">,
): Pick<RunResult, "report_md_path" | "report_json_path" | "answered"> {
  const index = manifest.current_report_version_index;
  if (index === null) return {};
  const { markdown, json } = reportFiles(index);
  const paths = { report_md_path: runs.placeOf(runRoot, markdown), report_json_path: runs.placeOf(runRoot, json) };
  return { ...paths, ...given({ answered: answeredBy(manifest) }) };
}
