// `tick`: one bounded piece of progress.
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { TickOptions } from "../options.ts";
import type { Outcome, RunResult } from "../outcome.ts";
import { settledOutcome, standingOutcome } from "../work-outcome.ts";

/** To whom the work is reported, and who may stop it. */
export interface Attendance {
  observer: Observer;
  signals?: StopSignals | undefined;
}

/** `attend` is called only where there is something to do. */
export async function tickRun(
  ports: Ports,
  runRoot: string,
  options: TickOptions,
  attend: () => Promise<Attendance> = async () => ({ observer: {} }),
): Promise<Outcome<RunResult>> {
  // A tick that has nothing to do costs one reading of the run: the code that works is loaded only after it.
  const run = await ports.store.look(runRoot);
  const settled = (await settledOutcome(ports, run)) ?? standingOutcome(ports, run);
  if (settled !== null) return settled;
  const [{ work }, { drivenWork }] = await Promise.all([import("../work.ts"), import("./driven-work.ts")]);
  const { observer, signals } = await attend();
  const { reason = "tick", ...bounds } = options;
  return await work(ports, run, drivenWork(ports, { lifts: false, maxTicks: 1, reason, ...bounds }, observer, signals));
}
