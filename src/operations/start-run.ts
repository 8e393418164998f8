// `start`: the main job. Makes the run, or finds the one of the same question and settings, and works until it stops.
import { RunError } from "../kernel/errors.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { CorpusReport } from "../ports/provider.ts";
import { resolvedProvider } from "../orchestrator/drive.ts";
import { stateChange } from "../run/fold.ts";
import type { FirstDrafts, RecordData } from "../run/record.ts";
import { describeRun, firstDrafts, refuseOtherRun, type DescribedRun } from "./init-run.ts";
import { openingOnce } from "./open-once.ts";
import type { InitOptions, RunOptions } from "./options.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { workOnNewRun, workOnRun } from "./work-on-run.ts";

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
  let described;
  try {
    described = await describeRun(ports, options, observer, signal);
  } catch (error) {
    // Stopped while the corpus was read: there is no run yet, and nothing to pause.
    if (signals === undefined || signal?.aborted !== true) throw error;
    throw new RunError("INTERRUPTED_BY_SIGNAL", {
      signal: signals.terminate.aborted ? "SIGTERM" : "SIGINT",
      reason: "no run was made yet",
    });
  }
  const { runRoot, created, reports: corpora } = described;
  const { untilStage, maxTicks } = options;
  const run = {
    ...(untilStage === undefined ? {} : { untilStage }),
    ...(maxTicks === undefined ? {} : { maxTicks }),
    reason: "start",
  };
  const begun = await workOnNewRun(ports, runRoot, begunDrafts(created), { ...run, lifts: false }, observer, signals);
  const outcome = begun ?? (await continueRun(ports, described, run, observer, signals));
  return { ...outcome, result: { ...outcome.result, corpora } };
}

/** The run is running from its first records on: when its maker dies, it is an interrupted one, not an idle one. */
function begunDrafts(created: RecordData<"run.created">): FirstDrafts {
  return [...firstDrafts(created), resolvedProvider(created), stateChange("idle", "running", "start")];
}

/** A start that is given again goes on with its run. */
async function continueRun(
  ports: Ports,
  { runRoot, created }: DescribedRun,
  options: RunOptions & { reason: string },
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult>> {
  await refuseOtherRun(ports, runRoot, created);
  const lifts = (await ports.store.look(runRoot)).state === "paused";
  return await workOnRun(ports, runRoot, { ...options, lifts }, observer, signals);
}
