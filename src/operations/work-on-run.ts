// The shared road of tick, run and resume: look, take the lease, drive, look again.
import { drive, type DriveOptions } from "../orchestrator/drive.ts";
import { withSession } from "../orchestrator/session.ts";
import { Workbench } from "../orchestrator/workbench.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { settledOutcome, standingOutcome, workOutcome } from "./work-outcome.ts";

export async function workOnRun(
  ports: Ports,
  runRoot: string,
  options: DriveOptions & { reason: string },
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult>> {
  const run = await ports.store.look(runRoot);
  const settled = settledOutcome(run) ?? (options.lifts ? null : standingOutcome(run, ports.clock.nowMs()));
  if (settled !== null) return settled;
  const bench = await Workbench.open(ports, runRoot, run.manifest);
  try {
    const done = await withSession(ports, runRoot, { reason: options.reason, observer, signals }, (session) =>
      drive(session, bench, options),
    );
    return await workOutcome(ports, runRoot, done, signals);
  } finally {
    bench.close();
  }
}
