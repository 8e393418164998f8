// A run at work in the simulated world, with a hand on its steps.
import { startRun } from "../../src/operations/change/start-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import type { InitOptions, ResumeOptions, RunOptions } from "../../src/operations/options.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import type { Performing } from "../simulation/run-outside.ts";
import {
  endingOf,
  RUN_ROOT,
  RunWorld,
  startOptions,
  type Ending,
  type ProcessOptions,
  type RunProcess,
} from "../simulation/run-world.ts";

export {
  codeOf,
  RUN_ID,
  RUN_ROOT,
  RUNS_ROOT,
  RunWorld,
  type Ending,
  type RunProcess,
} from "../simulation/run-world.ts";

export const MINUTE_MS = 60_000;
/** The step that most tests hold or break: the first of wave 1. */
export const STEP = "wave1:overview";

type StartOptions = Partial<InitOptions> & RunOptions;

export function startIn(process: RunProcess, options: StartOptions = {}): Promise<Ending> {
  return endingOf(() =>
    startRun(process.ports, { ...startOptions(options), ...options }, process.observer, process.signals),
  );
}

/** Starts the run in a process of its own. */
export function start(world: RunWorld, options: StartOptions = {}, process?: ProcessOptions): Promise<Ending> {
  return startIn(world.process("owner", process), options);
}

export function run(world: RunWorld, runRoot = RUN_ROOT): Promise<Ending> {
  const { ports, observer, signals } = world.process("run");
  return endingOf(() => runRun(ports, runRoot, {}, observer, signals));
}

export function resume(world: RunWorld, options: ResumeOptions = {}): Promise<Ending> {
  const { ports, observer, signals } = world.process("resume");
  return endingOf(() => resumeRun(ports, RUN_ROOT, options, observer, signals));
}

export function tick(world: RunWorld, maxSteps?: number): Promise<Ending> {
  const { ports, observer, signals } = world.process("tick");
  return endingOf(() =>
    tickRun(ports, RUN_ROOT, maxSteps === undefined ? {} : { maxSteps }, async () => ({ observer, signals })),
  );
}

/** The run as another process sees it. */
export function look(world: RunWorld, runRoot = RUN_ROOT): Promise<RunLook> {
  return world.process("looker").ports.store.look(runRoot);
}

export async function records(world: RunWorld, runRoot = RUN_ROOT): Promise<AnyRecord[]> {
  return await world.process("looker").ports.store.records(runRoot);
}

/** The facts of an ending that was refused or stopped short. */
export function factsOf(ending: Ending): Record<string, unknown> {
  if (ending.kind === "refused") return ending.error.facts;
  return ending.kind === "ended" ? (ending.outcome.error?.facts ?? {}) : {};
}

export function stoppedBy(ending: Ending): string {
  return ending.kind === "ended" ? ending.outcome.result.stopped_by : ending.kind;
}

export function reportDigest({ manifest }: RunLook): string | undefined {
  return manifest.report_versions.at(-1)?.digest;
}

export interface HeldStep {
  /** Resolves when the step is begun. */
  reached: Promise<Performing>;
  release(): void;
}

/** The first try of a step waits until it is released, or until it is told to stop when it heeds that. */
export function holdStep(world: RunWorld, key = STEP, heedsStop = true): HeldStep {
  const reached = Promise.withResolvers<Performing>();
  const released = Promise.withResolvers<void>();
  world.outside.beforeStep = async (performing) => {
    if (performing.key !== key || performing.nth > 1) return;
    const { signal } = performing.tools;
    reached.resolve(performing);
    if (heedsStop) signal.addEventListener("abort", () => released.reject(signal.reason));
    await released.promise;
  };
  return { reached: reached.promise, release: () => released.resolve() };
}

/** A run whose owner is in the middle of a step. */
export async function heldRun(options: StartOptions = {}, key = STEP, heedsStop = true) {
  const world = new RunWorld();
  const held = holdStep(world, key, heedsStop);
  const owner = world.process("owner");
  const ending = startIn(owner, options);
  await held.reached;
  return { world, held, owner, ending };
}

/** A step takes this much simulated time, unless it is told to stop. */
export function takeTime(world: RunWorld, ms: number, key = STEP): void {
  world.outside.beforeStep = async (performing) => {
    if (performing.key === key) await performing.actor.clock.sleep(ms, performing.tools.signal);
  };
}
