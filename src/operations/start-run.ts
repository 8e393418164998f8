// `start`: the main job. Makes the run, or finds the one of the same question and settings, and works until it stops.
import { given } from "../kernel/given.ts";
import { RunError } from "../kernel/errors.ts";
import type { Observer, StopSignals } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { CorpusReport } from "../ports/provider.ts";
import { resolvedProvider } from "../orchestrator/drive.ts";
import { stateChange } from "../run/lifecycle.ts";
import { drivenWork } from "./driven-work.ts";
import { describeRun, firstDrafts, refuseOtherRun } from "./init-run.ts";
import { openingOnce } from "./open-once.ts";
import type { InitOptions, RunOptions } from "./options.ts";
import type { Outcome, RunResult } from "./outcome.ts";
import { work } from "./work.ts";

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
    // The corpus was still being read: there is no run that could be paused.
    if (signals === undefined || signal?.aborted !== true) throw error;
    throw new RunError("INTERRUPTED_BY_SIGNAL", {
      signal: signals.terminate.aborted ? "SIGTERM" : "SIGINT",
      reason: "no run was made yet",
    });
  }
  const { runRoot, created, reports: corpora, brought } = described;
  const { untilStage, maxTicks } = options;
  const driven = { ...given({ untilStage, maxTicks }), lifts: "if_paused" as const, reason: "start" };
  const intent = drivenWork(ports, driven, observer, signals);
  const begun = [resolvedProvider(created), stateChange("idle", "running", "start")];
  const outcome = await work(ports, runRoot, {
    ...intent,
    // The run is at work from its first records on: if this process dies, it is interrupted and not idle.
    makes: { drafts: [...firstDrafts(created, brought.records), ...begun], contents: brought.contents },
    // The same start, given again, goes on with its run.
    async judge(run, records) {
      await refuseOtherRun(ports, runRoot, created, options.limits);
      return (await intent.judge?.(run, records)) ?? null;
    },
  });
  return { ...outcome, result: { ...outcome.result, corpora } };
}
