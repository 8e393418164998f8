// `start`: the main job. Makes the run, or finds the one of the same question and settings, and works until it stops.
import { given } from "../../kernel/given.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import type { CorpusReport } from "../../ports/provider.ts";
import { resolvedProvider } from "../../orchestrator/drive.ts";
import { stateChange } from "../../run/log/lifecycle.ts";
import { drivenWork } from "./driven-work.ts";
import { describeRun, firstDrafts, refuseOtherRun } from "../make/init-run.ts";
import { openingOnce } from "../make/open-once.ts";
import type { InitOptions, RunOptions } from "../options.ts";
import type { Outcome, RunResult } from "../outcome.ts";
import { fleetOf, handedOn } from "../handing-on.ts";
import { work } from "../work.ts";

export interface StartOptions extends InitOptions, RunOptions {
  /** Only makes the run, and gives it to the workers of the store. */
  detach?: boolean;
}

export interface StartResult extends RunResult {
  /** What was read, and what was skipped with the reason. */
  corpora: CorpusReport[];
}

export async function startRun(
  givenPorts: Ports,
  options: StartOptions,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<StartResult>> {
  const fleet = options.detach === true ? fleetOf(givenPorts) : null;
  using ports = openingOnce(givenPorts);
  const signal = signals === undefined ? undefined : AbortSignal.any([signals.interrupt, signals.terminate]);
  const unmade = (error: unknown): never => {
    if (signals === undefined || signal?.aborted !== true) throw error;
    const name = signals.terminate.aborted ? "SIGTERM" : "SIGINT";
    throw new RunError("INTERRUPTED_BY_SIGNAL", { signal: name, reason: "no run was made yet" });
  };
  // While documents are read and stored there is no run that could be paused.
  const described = await describeRun(ports, options, observer, signal).catch(unmade);
  const { runRoot, created, reports: corpora, attached } = described;
  const contents = attached.contents.map(({ path, read }) => ({ path, read: () => read().catch(unmade) }));
  const { untilStage, maxTicks } = options;
  const driven = { ...given({ untilStage, maxTicks }), lifts: "if_paused" as const, reason: "start" };
  const driving = drivenWork(ports, driven, observer, signals);
  const intent = fleet === null ? driving : handedOn(ports, driving);
  const begun = [resolvedProvider(created), stateChange("idle", "running", "start")];
  const outcome = await work(ports, runRoot, {
    ...intent,
    // The run is at work from its first records on: if this process dies, it is interrupted and not idle.
    makes: { drafts: [...firstDrafts(created, attached.records), ...begun], contents },
    // The same start, given again, continues its run.
    async judge(run, records) {
      await refuseOtherRun(ports, runRoot, created, options.limits);
      return (await intent.judge?.(run, records)) ?? null;
    },
  });
  await fleet?.wake();
  return { ...outcome, result: { ...outcome.result, corpora } };
}
