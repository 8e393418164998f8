// `resume`: lifts a pause, a hold or a halt, then goes on as `run`.
import { lift } from "../orchestrator/drive.ts";
import { withSession } from "../orchestrator/session.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import { forkRun } from "./fork-run.ts";
import type { ResumeOptions } from "./options.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { runRun } from "./run-run.ts";
import { workOnRun } from "./work-on-run.ts";
import { settledOutcome, workOutcome } from "./work-outcome.ts";

export async function resumeRun(
  ports: Ports,
  runRoot: string,
  options: ResumeOptions,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult>> {
  const { noRun, ...rest } = options;
  const run = await ports.store.look(runRoot);
  const settled = await settledOutcome(ports, run);
  if (settled !== null) return settled;
  const request = { ...rest, lifts: true, reason: "resume" };
  if (noRun === true) {
    await withSession(ports, runRoot, { reason: "resume", observer, signals }, (session) => lift(session, request));
    return await workOutcome(
      ports,
      runRoot,
      { stopped_by: "lifted", ticks: 0, steps_completed: 0, steps_adopted: 0 },
      signals,
    );
  }
  const outcome = await workOnRun(ports, runRoot, request, observer, signals);
  if (options.onDrift !== "fork" || outcome.error?.code !== "SETTINGS_DRIFT") return outcome;
  const runsRoot = runRoot.slice(0, runRoot.lastIndexOf("/"));
  const fork = await forkRun(ports, runRoot, { runsRoot }, observer);
  return await runRun(ports, fork.result.run_root, {}, observer, signals);
}
