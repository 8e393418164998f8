// `tick --all`: the cron line. One tick for every run that can go on by itself.
import { RunError, type ErrorCode, type ErrorFacts } from "../kernel/errors.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import type { Outcome } from "./outcome.ts";
import { tickRun } from "./tick-run.ts";
import { standingOutcome } from "./work-outcome.ts";

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
  const entries = await ports.store.list(runsRoot);
  const due = entries.flatMap(({ look }) => (look !== null && isDue(look, ports.clock.nowMs()) ? [look] : []));
  // A run that cannot even be read is reported, or nobody would ever hear of it.
  const runs: TickAllResult["runs"] = entries.flatMap(({ runRoot, look, error }) =>
    look === null && error instanceof RunError
      ? [
          {
            run_id: runRoot.slice(runRoot.lastIndexOf("/") + 1),
            run_root: runRoot,
            outcome: "unreadable",
            error: { code: error.code, facts: error.facts },
          },
        ]
      : [],
  );
  const work = async (): Promise<void> => {
    for (let look = due.shift(); look !== undefined; look = due.shift()) {
      if (signals?.interrupt.aborted === true || signals?.terminate.aborted === true) return;
      const { runRoot, manifest } = look;
      runs.push({ run_id: manifest.run_id, run_root: runRoot, ...(await tickOne(ports, runRoot, observer, signals)) });
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, due.length) }, work));
  runs.sort((a, b) => (a.run_root < b.run_root ? -1 : 1));
  return { result: { runs }, run: null, error: null };
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
    if (!(error instanceof RunError)) throw error;
    // Another tick was quicker: the run is being worked on, which is all that cron wants.
    if (error.code === "LOCK_HELD") return { outcome: "busy", error: null };
    return { outcome: "error", error: { code: error.code, facts: error.facts } };
  }
}

function isDue(run: RunLook, nowMs: number): boolean {
  if (run.lease.held !== null || standingOutcome(run, nowMs) !== null) return false;
  if (run.state === "running") return true;
  return run.state === "interrupted" && run.manifest.settings.policies.on_interrupt === "continue";
}
