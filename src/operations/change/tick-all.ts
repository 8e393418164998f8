// `tick --all`: the cron line. One tick for every run that can continue by itself.
import { basename } from "node:path";
import type { RunError } from "../../kernel/errors.ts";
import { typedError } from "../../kernel/typed-error.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { isHeartbeatOverdue } from "../../ports/runs.ts";
import type { Stage } from "../../run/stage.ts";
import type { Outcome } from "../outcome.ts";
import { tickRun, type Attendance } from "./tick-run.ts";

export interface TickAllResult {
  runs: {
    run_id: string;
    run_root: string;
    /** Why the tick ended; `not_answering` for a run that was passed by, since its owner gives no sign of life. */
    outcome: string;
    /** The stage that the run is in now; null where that could not be seen. */
    stage: Stage | null;
    error: RunError | null;
  }[];
}

export async function tickAll(
  ports: Ports,
  runsRoot: string,
  options: { jobs: number },
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<TickAllResult>> {
  const due: { run_id: string; run_root: string }[] = [];
  const runs: TickAllResult["runs"] = [];
  for await (const { runRoot, look, error } of ports.runs.due(runsRoot)) {
    if (look === null) runs.push(unreadable(runRoot, error));
    else if (isHeartbeatOverdue(look)) runs.push(passedBy(look));
    else due.push({ run_id: look.manifest.run_id, run_root: runRoot });
  }
  const work = async (): Promise<void> => {
    for (let run = due.shift(); run !== undefined; run = due.shift()) {
      if (signals?.interrupt.aborted === true || signals?.terminate.aborted === true) return;
      runs.push({ ...run, ...(await tickOne(ports, run.run_root, async () => ({ observer, signals }))) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, due.length) }, work));
  runs.sort((a, b) => (a.run_root < b.run_root ? -1 : 1));
  return { result: { runs }, run: null, error: null };
}

/** A run that cannot be read is reported: otherwise it would not be noticed. */
function unreadable(runRoot: string, error: unknown): TickAllResult["runs"][number] {
  const run = { run_id: basename(runRoot), run_root: runRoot };
  return { ...run, outcome: "unreadable", stage: null, error: typedError(error) };
}

/** No process may take such a run before its lease has run out. */
function passedBy({ manifest, runRoot }: RunLook): TickAllResult["runs"][number] {
  const { run_id, stage } = manifest;
  return { run_id, run_root: runRoot, outcome: "not_answering", stage: stage.current, error: null };
}

async function tickOne(
  ports: Ports,
  runRoot: string,
  attend: () => Promise<Attendance>,
): Promise<Pick<TickAllResult["runs"][number], "outcome" | "stage" | "error">> {
  try {
    const { result, run, error } = await tickRun(ports, runRoot, { reason: "tick --all" }, attend);
    const isRequested = error?.code === "PAUSED" || result.stopped_by === "aborted";
    // A pause or an abort was requested while the tick was at work, and it did so.
    return {
      outcome: result.stopped_by,
      stage: run?.manifest.stage.current ?? null,
      error: isRequested ? null : error,
    };
  } catch (error) {
    // A bug that could not be written down as a halt: it is reported with the run, and the others continue.
    const failure = typedError(error);
    // Another tick was quicker: the run is being worked on, which is all that cron wants.
    if (failure.code === "LOCK_HELD") return { outcome: "busy", stage: null, error: null };
    if (failure.code === "NOT_FOUND") return { outcome: "removed", stage: null, error: null };
    return { outcome: "error", stage: null, error: failure };
  }
}
