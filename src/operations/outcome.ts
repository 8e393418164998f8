// The result of every operation: data for a surface to show, never words or exit codes.
import type { RunError } from "../kernel/errors.ts";
import type { Answered } from "../run/report/report-version.ts";
import type { RunLook } from "../ports/run-log.ts";

/** `run` is the run as it is afterwards; its `manifest.halt` is the halt to show. */
export interface Outcome<Result> {
  result: Result;
  run: RunLook | null;
  /** Set when the work stopped short: a halt, a failed run, a request that still waits. */
  error: RunError | null;
}

/** Of an operation that reads one run. */
export interface ReadOutcome<Result> extends Outcome<Result> {
  run: RunLook;
}

/** What one tick, or a row of ticks, came to. */
export interface RunResult {
  stopped_by: string;
  ticks: number;
  steps_completed: number;
  steps_adopted: number;
  /** Absolute, like `report_json_path`: of the current report version, when there is one. */
  report_md_path?: string;
  report_json_path?: string;
  /** Whether that version answers the question. */
  answered?: Answered;
  /** The answer of that version, in Markdown; of a run that is completed. */
  answer?: string;
  already?: "already_completed" | "already_paused";
}
