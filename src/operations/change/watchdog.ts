// `watchdog`: judges one run, or all, and ends those that are late.
import { RunError } from "../../kernel/errors.ts";
import { typedError } from "../../kernel/typed-error.ts";
import { lockHeld } from "../../orchestrator/owning.ts";
import { failWithTimeout } from "../../orchestrator/stopping.ts";
import { RunView } from "../../orchestrator/run-view.ts";
import type { TimeoutJudgement } from "../../orchestrator/watchdog.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { TIMEOUT_JSON_PATH, TIMEOUT_MARKDOWN_PATH } from "../../run/log/halt.ts";
import type { Stage } from "../../run/stage.ts";
import type { Outcome } from "../outcome.ts";
import { judgeLateness, type JudgeOptions } from "../look/standing.ts";

export interface WatchdogOptions extends JudgeOptions {
  /** Reason of the check; it is in the lease record of a run that is ended. */
  reason?: string;
}

export interface WatchedRun extends TimeoutJudgement {
  run_id: string;
  run_root: string;
  stage: Stage;
  /** Absolute; set when the run was ended now. */
  checkpoint_path?: string;
  checkpoint_json_path?: string;
  /** Says why a late run could not be ended. */
  error?: RunError;
}

export interface WatchedRuns {
  runs: WatchedRun[];
  /** How many could not be read; `tick --all` names them. */
  unreadable?: number;
}

export async function watchRun(ports: Ports, runRoot: string, options: WatchdogOptions): Promise<Outcome<WatchedRuns>> {
  const run = await ports.store.look(runRoot);
  const watched = await watch(ports, run, options);
  const error = watched.timed_out ? new RunError("WATCHDOG_TIMEOUT", { ...watched }) : null;
  return { result: { runs: [watched] }, run: await ports.store.look(runRoot), error };
}

export async function watchAll(
  ports: Ports,
  runsRoot: string,
  options: WatchdogOptions,
): Promise<Outcome<WatchedRuns>> {
  const runs: WatchedRun[] = [];
  let unreadable = 0;
  for await (const { look } of ports.runs.list(runsRoot)) {
    if (look === null) unreadable++;
    else runs.push(await watchOrTell(ports, look, options));
  }
  const late = runs.filter(({ timed_out }) => timed_out);
  const failed = runs.find((run) => run.error !== undefined)?.error;
  const error =
    late.length === 0
      ? (failed ?? null)
      : new RunError("WATCHDOG_TIMEOUT.several_runs", {
          runs: late.map(({ run_id }) => run_id),
          run_roots: late.map(({ run_root }) => run_root),
        });
  return { result: { runs, unreadable }, run: null, error };
}

/** One run that cannot be ended must not keep the sweep from the others. */
async function watchOrTell(ports: Ports, run: RunLook, options: WatchdogOptions): Promise<WatchedRun> {
  try {
    return await watch(ports, run, options);
  } catch (error) {
    const failure = typedError(error);
    // To judge a run once more that met a bug may meet the same bug.
    const judged = failure.code === "INTERNAL" ? unjudged(run) : judgeLateness(ports, run, options);
    return { ...watched(run, judged, options), timed_out: false, error: failure };
  }
}

function unjudged({ manifest: { stage, settings } }: RunLook): TimeoutJudgement {
  return {
    timed_out: false,
    elapsed_s: 0,
    timeout_s: settings.timeouts[stage.current],
    timer_origin_field: "stage.started_at",
    timer_origin: stage.started_at,
    measured: "time_worked",
  };
}

function watched({ manifest, runRoot }: RunLook, judged: TimeoutJudgement, { stage }: WatchdogOptions): WatchedRun {
  return { run_id: manifest.run_id, run_root: runRoot, stage: stage ?? manifest.stage.current, ...judged };
}

async function watch(ports: Ports, run: RunLook, options: WatchdogOptions): Promise<WatchedRun> {
  const judged = judgeLateness(ports, run, options);
  const { runRoot } = run;
  if (!judged.timed_out) return watched(run, judged, options);
  if (!(await end(ports, runRoot, options))) return { ...watched(run, judged, options), timed_out: false };
  return {
    ...watched(run, judged, options),
    checkpoint_path: ports.runs.placeOf(runRoot, TIMEOUT_MARKDOWN_PATH),
    checkpoint_json_path: ports.runs.placeOf(runRoot, TIMEOUT_JSON_PATH),
  };
}

/** Takes the lease even from a live owner, judges once more under it, and ends the run. False when it moved meanwhile. */
async function end(ports: Ports, runRoot: string, options: WatchdogOptions): Promise<boolean> {
  const before = await ports.store.look(runRoot);
  if (!judgeLateness(ports, before, options).timed_out) return false;
  const acquired = await ports.store.acquire(runRoot, { reason: options.reason ?? "watchdog", force: true });
  if (acquired.kind === "held") throw lockHeld(runRoot, acquired);
  const { writer } = acquired;
  try {
    // Judged by the lease as it was: taking it has ended the owner's right, not its lateness.
    const judged = judgeLateness(ports, { ...before, manifest: writer.manifest }, options);
    if (!judged.timed_out) return false;
    await failWithTimeout({ writer, ports, view: new RunView(writer) }, judged);
    return true;
  } finally {
    await writer.release();
  }
}
