// `tick --all`: the cron line. One tick for every run that can go on by itself.
import { basename } from "node:path";
import type { ErrorCode, ErrorFacts } from "../kernel/errors.ts";
import { typedError } from "../kernel/typed-error.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { Outcome } from "./outcome.ts";
import { tickRun } from "./tick-run.ts";
import { isDue } from "./work-outcome.ts";

export interface TickAllResult {
  runs: { run_id: string; run_root: string; outcome: string; error: { code: ErrorCode; facts: ErrorFacts } | null }[];
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
  for await (const { runRoot, look, error } of ports.store.list(runsRoot)) {
    try {
      if (look === null) runs.push(unreadable(runRoot, error));
      else if (isDue(look, ports.clock.nowMs())) due.push({ run_id: look.manifest.run_id, run_root: runRoot });
    } catch (bug) {
      runs.push(unreadable(runRoot, bug));
    }
  }
  const work = async (): Promise<void> => {
    for (let run = due.shift(); run !== undefined; run = due.shift()) {
      if (signals?.interrupt.aborted === true || signals?.terminate.aborted === true) return;
      runs.push({ ...run, ...(await tickOne(ports, run.run_root, observer, signals)) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, due.length) }, work));
  runs.sort((a, b) => (a.run_root < b.run_root ? -1 : 1));
  return { result: { runs }, run: null, error: null };
}

/** A run that cannot even be read is reported, or nobody would ever hear of it. */
function unreadable(runRoot: string, error: unknown): TickAllResult["runs"][number] {
  const known = typedError(error);
  return {
    run_id: basename(runRoot),
    run_root: runRoot,
    outcome: "unreadable",
    error: { code: known.code, facts: known.facts },
  };
}

async function tickOne(
  ports: Ports,
  runRoot: string,
  observer: Observer,
  signals?: StopSignals,
): Promise<Pick<TickAllResult["runs"][number], "outcome" | "error">> {
  try {
    const { result, error } = await tickRun(ports, runRoot, { reason: "tick --all" }, observer, signals);
    return { outcome: result.stopped_by, error };
  } catch (error) {
    // A bug that could not be written down as a halt: the run is told with it, and the others go on.
    const { code, facts } = typedError(error);
    // Another tick was quicker: the run is being worked on, which is all that cron wants.
    if (code === "LOCK_HELD") return { outcome: "busy", error: null };
    if (code === "NOT_FOUND") return { outcome: "removed", error: null };
    return { outcome: "error", error: { code, facts } };
  }
}
