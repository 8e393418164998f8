// Checks of a whole run: right after a crash, before anything recovers, and at the end of the recovery.
import { describeCause, RunError } from "../../src/kernel/errors.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { settleCall } from "../../src/operations/change/settle-call.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { RunLook } from "../../src/ports/run-log.ts";
import { RISKY_TOOL } from "../live/risky-model.ts";
import type { Fault, TraceEntry } from "./disk.ts";
import {
  codeOf,
  endingOf,
  isSuccess,
  RUN_ROOT,
  RUNS_ROOT,
  RunWorld,
  startOptions,
  type Ending,
  type ProcessOptions,
  type RunProcess,
} from "./run-world.ts";

/** Simulated time that one step takes: enough for heartbeats and looks at requests in between. */
const STEP_MS = 700;
export const LEASE = { lease_seconds: 4, heartbeat_seconds: 1 };

/** A run with both waves, a draft that review sends back once, and steps that take time. */
export function newRunWorld(): RunWorld {
  const world = new RunWorld();
  world.outside.beforeStep = ({ actor }) => actor.clock.sleep(STEP_MS);
  world.outside.afterStep = ({ key }, result) =>
    key === "review:draft-1" ? { ...(result as object), ...REVISE } : result;
  return world;
}
const REVISE = {
  decision: "revise",
  directives: [{ kind: "other", target: "report", detail: "look at it once more" }],
};

export function start(process: RunProcess): Promise<Ending> {
  return endingOf(() => startRun(process.ports, startOptions({ lease: LEASE, ...process.asked }), process.observer));
}

// --- the uninterrupted run ----------------------------------------------------------------------------------------

export interface Digests {
  report: string;
  markdown: string;
  evidence: string;
}

export interface Reference {
  digests: Digests;
  trace: readonly TraceEntry[];
  steps: readonly string[];
}

export async function uninterrupted(options?: ProcessOptions, world = newRunWorld()): Promise<Reference> {
  const process = world.process("uninterrupted", options);
  const ending = await start(process);
  if (ending.kind !== "ended" || ending.outcome.run === null) throw new Error(codeOf(ending));
  const steps = world.outside.performances.map(({ key }) => key);
  return { digests: digestsOf(ending.outcome.run), trace: [...world.world.disk.trace], steps };
}

function digestsOf({ manifest }: RunLook): Digests {
  const [version] = manifest.report_versions;
  return {
    report: version?.digest ?? "none",
    markdown: version?.report_md_digest ?? "none",
    evidence: version?.evidence_digest ?? "none",
  };
}

/** A start that meets faults; the process is gone afterwards, whatever became of it. */
export async function faultyStart(
  faults: Fault[],
  options?: ProcessOptions,
  world = newRunWorld(),
): Promise<{ world: RunWorld; ending: Ending; fired: number }> {
  const process = world.process("first", options);
  process.actor.files.plan(...faults);
  const ending = await start(process);
  const { fired } = process.actor.files;
  process.actor.kill();
  return { world, ending, fired };
}

// --- before recovery ----------------------------------------------------------------------------------------------

const LOOKS: ReadonlySet<string> = new Set(["facts", "list", "open-read", "readAt", "handleFacts", "close"]);

/** S1, S2, S3: what a look finds right after the end of a process, before anything recovers. */
export async function beforeRecovery(world: RunWorld, ending: Ending): Promise<string[]> {
  const violations: string[] = [];
  if (ending.kind === "bug") violations.push(codeOf(ending));
  const { announced } = world.outside;
  const { ports, actor } = world.process("looker");
  try {
    const { records, problems } = await ports.store.inspect(RUN_ROOT);
    const standing = new Map<number, string>(records.map(({ seq, digest }) => [seq, digest]));
    const lost = announced.filter(({ seq, digest }) => standing.get(seq) !== digest);
    for (const { seq, kind } of lost) violations.push(`record ${seq} (${kind}) was announced and is lost`);
    for (const { path, found } of problems) violations.push(`before recovery ${path}: ${found}`);
    const run = await ports.store.look(RUN_ROOT);
    const isLeft = ending.kind === "crashed" && run.lease.held === null && run.lease.stale !== null;
    const isHalted = run.manifest.halt !== null;
    if (run.state === "idle" || (isLeft && run.state === "running" && !isHalted))
      violations.push(`its owner died, and it is shown as ${run.state}`);
    if (isSuccess(ending) && (run.state !== "completed" || run.manifest.report_versions.length !== 1))
      violations.push(`exit 0, but the run is ${run.state}`);
  } catch (error) {
    const isNoRun =
      error instanceof RunError && error.code === "NOT_FOUND" && announced.length === 0 && !isSuccess(ending);
    if (!isNoRun) violations.push(`a look fails before recovery: ${describeCause(error)}`);
  }
  const written = world.world.disk.trace.filter(({ process, effect }) => process === actor.name && !LOOKS.has(effect));
  for (const { effect, path } of written) violations.push(`a look writes: ${effect} ${path}`);
  actor.kill();
  return violations;
}

// --- recovery -----------------------------------------------------------------------------------------------------

export const WAYS = ["start", "run", "resume", "tick"] as const;
export type Way = (typeof WAYS)[number];
const MAX_TICKS = 40;

/** A fresh process goes on with the run in one of the ways a person has, who also answers when the run asks. */
export async function goOn(world: RunWorld, way: Way, faults: Fault[] = [], options?: ProcessOptions): Promise<Ending> {
  for (;;) {
    const ending = await goOnAlone(world, way, faults, options);
    if (codeOf(ending) !== "TOOL_OUTCOME_UNKNOWN") return ending;
    await settle(world);
  }
}

/** A person lets a call run once more that harms nothing, and says of any other one that it was done. */
async function settle(world: RunWorld): Promise<void> {
  const { ports, observer, actor } = world.process("person");
  const { halt } = (await ports.store.look(RUN_ROOT)).manifest;
  const { call, name } = halt?.schema_version === "halt.v1" ? halt.details : {};
  const as = name === RISKY_TOOL.name ? "assume_done" : "replay";
  await settleCall(ports, RUN_ROOT, { call: String(call), as }, observer);
  actor.kill();
}

/** Each tick is a process of its own, as under cron. */
async function goOnAlone(world: RunWorld, way: Way, faults: Fault[], options?: ProcessOptions): Promise<Ending> {
  const spawn = (): RunProcess => {
    const process = world.process(`${way} again`, options);
    process.actor.files.plan(...faults);
    return process;
  };
  const process = spawn();
  const { ports, observer, actor } = process;
  const isThere = await endingOf(async () => ({ result: NOTHING, run: await ports.store.look(RUN_ROOT), error: null }));
  let ending: Ending;
  if (way === "start" || codeOf(isThere) === "NOT_FOUND") ending = await start(process);
  else if (way === "run") ending = await endingOf(() => runRun(ports, RUN_ROOT, {}, observer));
  else if (way === "resume") ending = await endingOf(() => resumeRun(ports, RUN_ROOT, {}, observer));
  else ending = await tickToEnd(spawn);
  actor.kill();
  return ending;
}
const NOTHING = { stopped_by: "", ticks: 0, steps_completed: 0, steps_adopted: 0 };

async function tickToEnd(spawn: () => RunProcess): Promise<Ending> {
  for (let tick = 1; ; tick++) {
    const { ports, observer, actor } = spawn();
    const ending = await endingOf(() => tickRun(ports, RUN_ROOT, {}, async () => ({ observer })));
    actor.kill();
    if (ending.kind !== "ended" || ending.outcome.error !== null || ending.outcome.run?.state === "completed")
      return ending;
    if (tick === MAX_TICKS) return { kind: "bug", error: new Error("ticks without end") };
  }
}

/** S4, S9, S10: the recovery ends in the report of an uninterrupted run, and no finished step was done again. */
export async function afterRecovery(
  world: RunWorld,
  reference: Reference,
  ending: Ending,
  runRoot = RUN_ROOT,
): Promise<string[]> {
  const again = world.outside.performances.filter(({ isAgain }) => isAgain);
  const violations = again.map(({ key, process }) => `${key} was finished and is done again by ${process}`);
  if (!isSuccess(ending)) return [...violations, `recovery ends with ${codeOf(ending)}`];
  const { ports, actor } = world.process("verifier");
  try {
    const { run } = await verifyRun(ports, runRoot);
    if (run === null || run.state !== "completed") violations.push(`recovery ends ${run?.state ?? "nowhere"}`);
    else {
      const versions = run.manifest.report_versions.map(({ trigger_type }) => trigger_type).join(" ");
      if (versions !== "auto_natural_stop") violations.push(`report versions: ${versions}`);
      const [found, expected] = [JSON.stringify(digestsOf(run)), JSON.stringify(reference.digests)];
      if (found !== expected) violations.push(`another report: ${found}, not ${expected}`);
    }
  } catch (error) {
    violations.push(
      `after recovery: ${describeCause(error)} ${error instanceof RunError ? JSON.stringify(error.facts["files"] ?? "") : ""}`,
    );
  }
  actor.kill();
  return violations;
}

/** Goes on, and where the run failed for good (its lease was lost) forks it, as the printed next command says. */
export async function goOnOrFork(world: RunWorld, way: Way, reference: Reference): Promise<string[]> {
  const ending = await goOn(world, way);
  if (codeOf(ending) !== "RUN_TERMINAL") return await afterRecovery(world, reference, ending);
  const { ports, observer, actor } = world.process("fork");
  const run_id = "dr_fork";
  const forked = await endingOf(async () => {
    await forkRun(ports, RUN_ROOT, { runsRoot: RUNS_ROOT, runId: run_id }, observer);
    return await runRun(ports, `${RUNS_ROOT}/${run_id}`, {}, observer);
  });
  actor.kill();
  return await afterRecovery(world, reference, forked, `${RUNS_ROOT}/${run_id}`);
}
