// A run whose owner died at work: every look says so, the next owner goes on, and the time worked counts.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { advanceStage } from "../../src/operations/change/advance-stage.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { findRun } from "../../src/operations/look/locate-run.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { patchManifest } from "../../src/operations/change/patch-manifest.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { repairRun } from "../../src/operations/care/repair-run.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { tickAll } from "../../src/operations/change/tick-all.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { watchRun } from "../../src/operations/change/watchdog.ts";
import { lift } from "../../src/orchestrator/drive.ts";
import { isLeftOpen, ownerGone } from "../../src/orchestrator/left-open.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLook, RunLog } from "../../src/ports/run-log.ts";
import { readWhole } from "../../src/stores/disk/durable-write.ts";
import { endingOf, startOptions, type ProcessOptions } from "../simulation/run-world.ts";
import {
  codeOf,
  look,
  MINUTE_MS,
  records,
  resume,
  RUN_ID,
  RUN_ROOT,
  run,
  RUNS_ROOT,
  RunWorld,
  start,
  startIn,
  STEP,
  tick,
} from "./at-work.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

/** The owner is killed in wave 1: one step is done after five minutes, the other is not after six. */
async function killedAtWork(): Promise<RunWorld> {
  const world = new RunWorld();
  world.outside.beforeStep = async ({ key, nth, actor, tools: { signal } }) => {
    if (nth > 1 || !key.startsWith("wave1:")) return;
    await actor.clock.sleep((key === STEP ? 5 : 6) * MINUTE_MS, signal);
    if (key !== STEP) actor.kill();
  };
  expect(codeOf(await start(world))).toBe("crashed");
  return world;
}

async function workedMs(world: RunWorld): Promise<number> {
  return (await look(world)).manifest.usage.worked_ms ?? 0;
}

async function expectCounted(world: RunWorld): Promise<void> {
  const worked = await workedMs(world);
  expect(worked).toBeGreaterThanOrEqual(5 * MINUTE_MS);
  expect(worked).toBeLessThan(6 * MINUTE_MS);
}

test("counts for the run, whoever finds it", async () => {
  const waysOn: ((world: RunWorld) => Promise<unknown>)[] = [
    (world) => run(world),
    (world) => resume(world),
    (world) => pauseRun(world.process("pauser").ports, RUN_ROOT, { waitSeconds: 60 }),
    (world) => generateReport(world.process("reporter").ports, RUN_ROOT, {}),
    (world) =>
      patchManifest(world.process("patcher").ports, RUN_ROOT, { patch: { status: "paused" }, reason: "a test" }),
  ];
  for (const goOn of waysOn) {
    const world = await killedAtWork();
    expect(await workedMs(world)).toBeLessThan(MINUTE_MS);
    world.world.clock.suspend(60 * MINUTE_MS);
    await goOn(world);
    await expectCounted(world);
    expect((await look(world)).manifest.state_history.map(({ to }) => to)).toContain("interrupted");
  }
});

test("counts once, also where who found it is killed, too", async () => {
  const world = await killedAtWork();
  world.outside.beforeStep = ({ nth, actor }) => {
    if (nth === 2) actor.kill();
  };
  expect(codeOf(await run(world))).toBe("crashed");
  world.outside.beforeStep = () => undefined;
  expect(codeOf(await run(world))).toBe("ok");
  await expectCounted(world);
  const lost = (await records(world)).filter(
    (record) => record.kind === "tick.ended" && record.data.stopped_by === "owner_gone",
  );
  expect(lost).toHaveLength(2);
});

// --- killed before a tick is open ---------------------------------------------------------------------------------

/** The owner is killed when it opens the corpora for the nth time: once to describe the run, then to work on it. */
async function killedWhileReading(nth: number, policies: InitOptions["policies"] = {}): Promise<RunWorld> {
  const world = new RunWorld();
  const owner = world.process("owner");
  const { openCorpora } = owner.ports;
  let opened = 0;
  const ports: Ports = {
    ...owner.ports,
    openCorpora: async (...asked) => {
      if (++opened === nth) owner.actor.kill();
      return await openCorpora(...asked);
    },
  };
  const begin = async () => {
    await initRun(ports, startOptions({ policies }), {});
    return await runRun(ports, RUN_ROOT, {}, owner.observer);
  };
  expect(codeOf(await endingOf(begin))).toBe("crashed");
  return world;
}

test("a run killed while it reads its corpus is interrupted to every look, and the next tick goes on", async () => {
  const world = await killedWhileReading(2);
  const { ports, observer } = world.process("looker");
  expect((await statusOf(ports, RUN_ROOT)).result).toMatchObject({
    execution_state: "interrupted",
    recorded_state: "running",
    tick_is_open: false,
    activity: "none",
  });
  const listed = await listRuns(ports, RUNS_ROOT, { states: ["interrupted"] });
  expect(listed.result.runs.map(({ run_id }) => run_id)).toEqual([RUN_ID]);
  expect((await triageRun(ports, RUN_ROOT)).result.findings[0].condition).toBe("interrupted");
  expect((await findRun(ports, { runsRoot: RUNS_ROOT }, "resumable")).runRoot).toBe(RUN_ROOT);
  expect((await watchRun(ports, RUN_ROOT, { strict: false })).error).toBeNull();
  const { result } = await tickAll(ports, RUNS_ROOT, { jobs: 1 }, observer);
  expect(result.runs).toMatchObject([{ run_id: RUN_ID, error: null }]);
  const { manifest } = await look(world);
  expect(manifest.state_history.map(({ to }) => to)).toEqual(["running", "interrupted", "running"]);
});

test("a run killed as soon as its first owner has written anything has begun, and the next tick goes on", async () => {
  const world = new RunWorld();
  const owner = world.process("owner");
  const begin = async () => {
    await initRun(owner.ports, startOptions(), {});
    return await runRun(owner.ports, RUN_ROOT, {}, { onRecord: () => owner.actor.kill() });
  };
  expect(codeOf(await endingOf(begin))).toBe("crashed");
  expect((await records(world)).map(({ kind }) => kind)).toContain("lease.taken");
  expect((await look(world)).state).toBe("interrupted");
  const { ports, observer } = world.process("looker");
  expect((await tickAll(ports, RUNS_ROOT, { jobs: 1 }, observer)).result.runs).toMatchObject([{ error: null }]);
});

test("its policy to hold holds it", async () => {
  const world = await killedWhileReading(2, { on_interrupt: "hold" });
  expect(codeOf(await tick(world))).toBe("INVALID_STATE");
  // The interruption is written down now, so the released lease changes nothing about it.
  expect(codeOf(await tick(world))).toBe("INVALID_STATE");
  expect(codeOf(await resume(world))).toBe("ok");
});

describe("what fails before it writes the interruption down leaves it to the next owner", () => {
  /** A run that rests in the middle of a stage; its next owner is killed while it reads the corpus. */
  async function killedBetweenTicks(): Promise<RunWorld> {
    const world = new RunWorld();
    expect(codeOf(await start(world, { untilStage: "wave1", policies: { on_interrupt: "hold" } }))).toBe("ok");
    expect(codeOf(await tick(world, 1))).toBe("ok");
    const owner = world.process("owner");
    const openCorpora: Ports["openCorpora"] = async (...asked) => {
      owner.actor.kill();
      return await owner.ports.openCorpora(...asked);
    };
    expect(codeOf(await endingOf(() => runRun({ ...owner.ports, openCorpora }, RUN_ROOT, {}, owner.observer)))).toBe(
      "crashed",
    );
    expect((await look(world)).state).toBe("interrupted");
    return world;
  }

  async function refusalOf(call: Promise<unknown>): Promise<string> {
    return await call.then(
      () => "done",
      (error: unknown) => (error instanceof RunError ? error.code : "bug"),
    );
  }

  async function expectHeld(world: RunWorld): Promise<void> {
    expect((await look(world)).state).toBe("interrupted");
    expect(codeOf(await tick(world))).toBe("INVALID_STATE");
    expect(codeOf(await resume(world))).toBe("ok");
  }

  test("a tool call that is refused, which leaves no record", async () => {
    const world = await killedBetweenTicks();
    const { ports } = world.process("tool");
    const { length } = await records(world);
    expect(await refusalOf(advanceStage(ports, RUN_ROOT, { reason: "a test" }))).toBe("GATE_BLOCKED");
    expect(await records(world)).toHaveLength(length);
    await expectHeld(world);
  });

  test("an owner that fails at once", async () => {
    const world = await killedBetweenTicks();
    const failing = owning(world.process("run").ports, RUN_ROOT, { reason: "a test", observer: {} }, async () => {
      throw new RunError("READ_FAILED", { reason: "a test" });
    });
    expect(await refusalOf(failing)).toBe("READ_FAILED");
    await expectHeld(world);
  });

  test("control: a release that does not tell of it hides it", async () => {
    const world = await killedBetweenTicks();
    const { ports } = world.process("tool");
    expect(await refusalOf(advanceStage(ports, RUN_ROOT, { reason: "a test" }))).toBe("GATE_BLOCKED");
    const { files } = world.process("forger").actor;
    const path = `${RUN_ROOT}/.lock`;
    const text = new TextDecoder().decode((await readWhole(files, path, 4096)) ?? new Uint8Array());
    expect(text).toContain('"took_over"');
    const lock = await files.open(path, "update");
    await lock.writeAt(new TextEncoder().encode(text.replace('"took_over"', '"forgotten"')), 0);
    await lock.close();
    expect((await look(world)).state).toBe("running");
  });
});

test("an interruption is recorded once, however often an owner asks for it", async () => {
  const world = await killedWhileReading(2);
  const { ports } = world.process("next");
  await owning(ports, RUN_ROOT, { reason: "a test", observer: {} }, async (ownership) => {
    await lift(ownership, { lifts: false });
    expect(isLeftOpen(ownership.writer)).toBe(false);
    expect(await ownerGone(ownership)).toEqual([]);
    await lift(ownership, { lifts: false });
  });
  const { manifest } = await look(world);
  expect(manifest.state_history.map(({ to }) => to)).toEqual(["running", "interrupted", "running"]);
});

test("a repair keeps the interruption that only the lease told of", async () => {
  const world = await killedWhileReading(2, { on_interrupt: "hold" });
  await world.process("vandal").actor.files.remove(`${RUN_ROOT}/manifest.json`);
  await repairRun(world.process("repairer").ports, RUN_ROOT, { dryRun: false });
  expect((await look(world)).state).toBe("interrupted");
});

test("a run that rests between two ticks is not interrupted, also when a person removed the released `.lock`", async () => {
  const world = new RunWorld();
  expect(codeOf(await start(world, { maxTicks: 1 }))).toBe("ok");
  expect((await look(world)).state).toBe("running");
  await world.process("person").actor.files.remove(`${RUN_ROOT}/.lock`);
  expect((await look(world)).state).toBe("running");
});

test("while an owner reads the corpus, status and list say that it holds the run", async () => {
  const world = new RunWorld();
  const { ports, observer, signals } = world.process("owner");
  const seen: unknown[] = [];
  const { openCorpora } = ports;
  const looking: Ports = {
    ...ports,
    openCorpora: async (...asked) => {
      const { ports: other } = world.process("looker");
      seen.push(await statusOf(other, RUN_ROOT).then(({ result }) => [result.execution_state, result.activity]));
      seen.push((await listRuns(other, RUNS_ROOT)).result.runs.map(({ activity }) => activity));
      return await openCorpora(...asked);
    },
  };
  await initRun(ports, startOptions(), {});
  await runRun(looking, RUN_ROOT, { maxTicks: 1 }, observer, signals);
  expect(seen.slice(0, 2)).toEqual([["running", "held"], ["held"]]);
});

describe("a start that is killed at any effect, after the run exists", () => {
  const FIRST_EFFECTS = 60;

  /** What a look says after each kill of the first effects; `NOT_FOUND` where there is no run yet. */
  async function statesAfterKills(options?: ProcessOptions): Promise<Set<string>> {
    const states = new Set<string>();
    for (let at = 1; at <= FIRST_EFFECTS; at++) {
      const world = new RunWorld();
      const owner = world.process("owner", options);
      owner.actor.files.plan({ kind: "crash-before", at });
      expect(codeOf(await startIn(owner))).toBe("crashed");
      const { ports, observer } = world.process("cron");
      const found = await ports.store.look(RUN_ROOT).catch((error: unknown) => error);
      states.add(found instanceof RunError ? found.code : (found as RunLook).state);
      const { runs } = (await tickAll(ports, RUNS_ROOT, { jobs: 1 }, observer)).result;
      if (!(found instanceof RunError)) expect(runs).toMatchObject([{ run_id: RUN_ID, error: null }]);
      // The same start again goes on, or begins anew in a folder with nothing but a lease.
      expect(codeOf(await start(world, { maxTicks: 1 }))).toBe("ok");
    }
    return states;
  }

  test("leaves no run or an interrupted one, which the next `tick --all` continues", async () => {
    expect(await statesAfterKills()).toEqual(new Set(["NOT_FOUND", "interrupted"]));
  });

  test("control: a run that is made before its lease is taken is found idle or running", async () => {
    const leaseLast = (store: RunLog): RunLog => ({
      ...store,
      async createOwned(runRoot, drafts, options, contents = []) {
        const { kind } = await store.create(runRoot, drafts, contents);
        return kind === "exists" ? { kind } : await store.acquire(runRoot, options);
      },
    });
    expect(await statesAfterKills({ wrapStore: leaseLast })).toContain("running");
  });
});

test("makers that start the same run at once: one works, the others are told so or find it done", async () => {
  const world = new RunWorld();
  const endings = await Promise.all([1, 2, 3].map((nth) => startIn(world.process(`maker ${nth}`))));
  const codes = endings.map(codeOf);
  expect(codes).toContain("ok");
  expect(codes.every((code) => code === "ok" || code === "LOCK_HELD")).toBe(true);
  expect((await records(world)).filter(({ kind }) => kind === "run.created")).toHaveLength(1);
});
