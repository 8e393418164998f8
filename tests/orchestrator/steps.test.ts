// Steps: tried again by policy, done once, and never blamed for a crash.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Files } from "../../src/ports/files.ts";
import { errnoError } from "../simulation/faults.ts";
import { changed } from "../simulation/changed.ts";
import {
  codeOf,
  factsOf,
  look,
  records,
  resume,
  run,
  RUN_ROOT,
  RunWorld,
  start,
  startIn,
  STEP,
  stoppedBy,
  tick,
} from "./at-work.ts";

/** Lets the first tries of a step fail. */
function failFirst(world: RunWorld, times: number, key = STEP): number[] {
  const triedAtMs: number[] = [];
  world.outside.beforeStep = (performing) => {
    if (performing.key !== key) return;
    triedAtMs.push(world.world.clock.uptimeMs());
    if (performing.nth <= times) throw new RunError("INVALID_ARGS", { reason: "the model is asleep" });
  };
  return triedAtMs;
}

describe("a step that fails", () => {
  test("is tried again, later each time, and the run goes on", async () => {
    const world = new RunWorld();
    const triedAtMs = failFirst(world, 2);
    expect(codeOf(await start(world))).toBe("ok");
    const [first = 0, second = 0, third = 0] = triedAtMs;
    expect([second - first, third - second]).toEqual([250, 500]);
    const tries = (await records(world)).filter((record) => record.kind === "step.failed");
    expect(tries.map(({ data }) => data)).toMatchObject([
      { key: STEP, attempt: 1 },
      { key: STEP, attempt: 2 },
    ]);
  });

  test("as often as it may halts the run with the exact next commands", async () => {
    const world = new RunWorld();
    failFirst(world, 99);
    const ending = await start(world);
    expect(codeOf(ending)).toBe("GATE_BLOCKED");
    expect(stoppedBy(ending)).toBe("halted");
    expect(world.outside.timesPerformed(STEP)).toBe(3);
    expect(factsOf(ending)).toMatchObject({
      steps: [{ key: STEP, error: { message: "INVALID_ARGS: the model is asleep" } }],
      max_attempts: 3,
    });
    const { manifest } = await look(world);
    expect(manifest.execution_state).toBe("running");
    expect(manifest.halt?.next_commands).toEqual(
      ["resume", "fork", "inspect", "triage"].map((verb) => `deep-research ${verb} ${RUN_ROOT}`),
    );
  });

  test("stays halted for tick and run, and is tried again on resume", async () => {
    const world = new RunWorld();
    failFirst(world, 4);
    await start(world);
    const before = (await records(world)).length;
    expect([codeOf(await tick(world)), codeOf(await run(world))]).toEqual(["GATE_BLOCKED", "GATE_BLOCKED"]);
    expect((await records(world)).length).toBe(before);
    expect(codeOf(await resume(world))).toBe("ok");
    expect(world.outside.timesPerformed(STEP)).toBe(5);
  });

  test("and what it returned does not fit counts as a failure", async () => {
    const world = new RunWorld();
    world.outside.afterStep = ({ key, nth }, result) => (key === STEP && nth === 1 ? { quotes: "none" } : result);
    expect(codeOf(await start(world))).toBe("ok");
    expect(world.outside.timesPerformed(STEP)).toBe(2);
  });

  test("does not take down its neighbours: what they finished is kept", async () => {
    const world = new RunWorld();
    failFirst(world, 3);
    expect(codeOf(await start(world))).toBe("GATE_BLOCKED");
    expect(codeOf(await resume(world))).toBe("ok");
    expect(world.outside.timesPerformed("wave1:contrarian")).toBe(1);
  });
});

test("a disk that fails while a citation is checked ends the tick, and is no verdict on the citation", async () => {
  const world = new RunWorld();
  let failures = 0;
  const wrapFiles = (files: Files): Files =>
    changed(files, {
      open(path, mode) {
        const isChecked =
          path.includes("/sources/") && mode === "read" && world.outside.timesPerformed("citations:overview") > 0;
        if (isChecked && failures++ === 0) throw errnoError("EIO", "open", path);
        return files.open(path, mode);
      },
    });
  expect(codeOf(await start(world, {}, { wrapFiles }))).toBe("READ_FAILED");
  expect(codeOf(await run(world))).toBe("ok");
});

describe("a step whose section failed", () => {
  const SECTIONS = [
    "perspectives:plan",
    STEP,
    "pivot:decide",
    "citations:overview",
    "summaries:overview",
    "synthesis:draft-1",
    "review:draft-1",
  ];

  for (const key of SECTIONS) {
    test(`${key}: neither it nor the run ends in completed, until it has succeeded`, async () => {
      const world = new RunWorld();
      failFirst(world, 6, key);
      expect([codeOf(await start(world)), codeOf(await resume(world))]).toEqual(["GATE_BLOCKED", "GATE_BLOCKED"]);
      const { manifest } = await look(world);
      expect([manifest.execution_state, manifest.steps[key]?.state]).toEqual(["running", "failed"]);
      expect(manifest.report_versions).toEqual([]);
      expect(await completedSteps(world)).not.toContain(key);
      expect(codeOf(await resume(world))).toBe("ok");
      expect((await look(world)).manifest.execution_state).toBe("completed");
      expect(await completedSteps(world)).toContain(key);
    });
  }

  test("control: where a failure is hidden, the run ends in completed", async () => {
    const world = new RunWorld();
    failFirst(world, 99, "review:draft-1");
    const owner = world.process("owner");
    const { ports } = owner;
    owner.ports = { ...ports, loadDriver: async (id) => hidingReviews(await ports.loadDriver(id)) };
    expect(codeOf(await startIn(owner))).toBe("ok");
    expect((await look(world)).manifest.execution_state).toBe("completed");
  });
});

/** Takes the guard out: what failed is handed in as if it had not. */
function hidingReviews(driver: Driver): Driver {
  const perform: Driver["perform"] = async (kind, input, tools) => {
    const work = driver.perform(kind, input, tools);
    if (kind !== "review") return await work;
    return await work.catch(() => ({ draft: 1, decision: "accept", directives: [] }) as never);
  };
  return { ...driver, perform };
}

async function completedSteps(world: RunWorld): Promise<string[]> {
  return (await records(world)).flatMap((record) => (record.kind === "step.completed" ? [record.data.key] : []));
}

describe("an attempt that a crash cut off", () => {
  /** Kills the owner in the middle of the step, so many times. */
  async function crashInStep(world: RunWorld, times: number): Promise<void> {
    world.outside.beforeStep = ({ key, nth, actor }) => {
      if (key === STEP && nth <= times) actor.kill();
    };
    for (let crash = 1; crash <= times; crash++) expect(codeOf(await startIn(world.process("owner")))).toBe("crashed");
  }

  test("does not count toward the cap", async () => {
    const world = new RunWorld();
    await crashInStep(world, 6);
    expect(codeOf(await run(world))).toBe("ok");
    const { data } = (await records(world)).findLast(
      (record) => record.kind === "step.completed" && record.data.key === STEP,
    ) ?? { data: null };
    expect(data).toMatchObject({ attempt: 7 });
    expect((await look(world)).manifest.counters.attempts_failed).toBe(0);
  });
});

describe("a tick", () => {
  test("does no more steps than it may", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "wave1" });
    const done = world.outside.performances.length;
    const ending = await tick(world, 1);
    expect([codeOf(ending), stoppedBy(ending)]).toEqual(["ok", "max_steps"]);
    expect(world.outside.performances.length).toBe(done + 1);
  });

  test("leaves a terminal run alone", async () => {
    const world = new RunWorld();
    await start(world);
    const [before, performed] = [world.world.disk.snapshot(), world.outside.performances.length];
    for (const again of [tick, run, resume, start]) {
      const ending = await again(world);
      expect(codeOf(ending)).toBe("ok");
      expect(ending).toMatchObject({ outcome: { result: { already: "already_completed", ticks: 0 } } });
    }
    expect(world.world.disk.snapshot()).toEqual(before);
    expect(world.outside.performances.length).toBe(performed);
  });
});

test("a fold that was emptied meanwhile is made again by the next tick, and the run goes on to its end", async () => {
  const world = new RunWorld();
  await start(world, { untilStage: "wave1" });
  const fold = `${RUN_ROOT}/perspectives.json`;
  const before = world.world.disk.text(fold);
  world.world.disk.plantFile(fold, "");
  expect(stoppedBy(await run(world))).toBe("completed");
  expect(world.world.disk.text(fold)).toBe(before);
});
