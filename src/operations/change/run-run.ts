// `run`: ticks until the run stops. Starts an idle run, continues an interrupted one, refuses a paused one.
import type { Observer, StopSignals } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import { drivenWork } from "./driven-work.ts";
import type { RunOptions } from "../options.ts";
import type { Outcome, RunResult } from "../outcome.ts";
import { work } from "../work.ts";

export async function runRun(
  ports: Ports,
  runRoot: string,
  options: RunOptions,
  observer: Observer,
  signals?: StopSignals,
): Promise<Outcome<RunResult>> {
  const intent = drivenWork(ports, { ...options, lifts: false, reason: "run" }, observer, signals);
  return await work(ports, runRoot, intent);
}
