// `start`: the main job. Makes the run, or finds the one of the same question and settings, and works until it stops.
import { RunError } from "../kernel/errors.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { CorpusReport } from "../ports/provider.ts";
import { makeOrFindRun } from "./init-run.ts";
import { openingOnce } from "./open-once.ts";
import type { InitOptions, RunOptions } from "./options.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { workOnRun } from "./work-on-run.ts";

export interface StartResult extends RunResult {
  /** What was read, and what was skipped with the reason. */
  corpora: CorpusReport[];
}

export async function startRun(
  givenPorts: Ports,
  options: InitOptions & RunOptions,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<StartResult>> {
  using ports = openingOnce(givenPorts);
  const signal = signals === undefined ? undefined : AbortSignal.any([signals.interrupt, signals.terminate]);
  let made;
  try {
    made = await makeOrFindRun(ports, options, observer, signal);
  } catch (error) {
    // Stopped while the corpus was read: there is no run yet, and nothing to pause.
    if (signals === undefined || signal?.aborted !== true) throw error;
    throw new RunError("INTERRUPTED_BY_SIGNAL", {
      signal: signals.terminate.aborted ? "SIGTERM" : "SIGINT",
      reason: "no run was made yet",
    });
  }
  const { untilStage, maxTicks } = options;
  const run = { ...(untilStage === undefined ? {} : { untilStage }), ...(maxTicks === undefined ? {} : { maxTicks }) };
  const { run_root, corpora } = made.result;
  const lifts = made.run?.state === "paused";
  const outcome = await workOnRun(ports, run_root, { ...run, lifts, reason: "start" }, observer, signals);
  return { ...outcome, result: { ...outcome.result, corpora } };
}
