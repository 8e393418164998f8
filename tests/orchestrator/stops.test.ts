// People stop a run by pause, abort, Ctrl-C or SIGTERM; with an owner at work and without one.
import { describe, expect, test } from "bun:test";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { watchRun } from "../../src/operations/change/watchdog.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { timestamp } from "../../src/ports/clock.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import type { Request } from "../../src/run/log/request.ts";
import { endingOf, startOptions } from "../simulation/run-world.ts";
import {
  codeOf,
  heldRun,
  holdStep,
  look,
  MINUTE_MS,
  records,
  resume,
  run,
  RUN_ROOT,
  RunWorld,
  start,
  startIn,
  STEP,
  stoppedBy,
  takeTime,
  tick,
} from "./at-work.ts";

const pause = (world: RunWorld, waitSeconds = 60) => pauseRun(world.process("pauser").ports, RUN_ROOT, { waitSeconds });
const abort = (world: RunWorld, waitSeconds = 60) =>
  abortRun(world.process("aborter").ports, RUN_ROOT, { waitSeconds });

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "no error";
  } catch (error) {
    return error instanceof RunError ? error.code : String(error);
  }
}

test("over files an owner at work heeds a request within half a second, and who asked hears of it within another", async () => {
  const { world, ending } = await heldRun();
  const { clock } = world.world;
  const askedAtMs = clock.uptimeMs();
  await abort(world);
  expect(clock.uptimeMs() - askedAtMs).toBeLessThanOrEqual(1_000);
  expect(stoppedBy(await ending)).toBe("aborted");
  const heeded = (await records(world)).find((record) => record.kind === "request.abort");
  if (heeded?.kind !== "request.abort") throw new Error("it was not heeded");
  expect(Date.parse(heeded.ts) - Date.parse(heeded.data.requested_at)).toBeLessThanOrEqual(500);
});

describe("pause", () => {
  test("reaches the owner: the running step finishes, nothing else begins, everything is on disk", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    const paused = pause(world);
    await world.world.clock.sleep(400);
    held.release();
    expect(await paused).toMatchObject({ result: { state: "paused", already: false }, error: null });
    expect([codeOf(await ending), stoppedBy(await ending)]).toEqual(["PAUSED", "paused"]);
    const { state, manifest, lease, requests } = await look(world);
    expect([state, manifest.stage.current, lease.held, requests]).toEqual(["paused", "wave1", null, []]);
    expect(manifest.steps[STEP]?.state).toBe("completed");
    expect(world.outside.timesPerformed("pivot:decide")).toBe(0);
  });

  test("is respected by tick, run and a reboot, and lifted by resume", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    await pause(world);
    world.world.reboot();
    expect([codeOf(await tick(world)), codeOf(await run(world))]).toEqual(["PAUSED", "PAUSED"]);
    expect((await look(world)).state).toBe("paused");
    expect(codeOf(await resume(world))).toBe("ok");
  });

  test("without an owner is done at once, and again is already so", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    expect((await pause(world)).result).toEqual({ state: "paused", already: false });
    expect((await pause(world)).result).toEqual({ state: "paused", already: true });
  });

  test("of a run whose owner was killed notes the interruption first", async () => {
    const { world, held, owner, ending } = await heldRun();
    owner.actor.kill();
    held.release();
    await ending;
    expect((await pause(world)).result.state).toBe("paused");
    expect((await look(world)).manifest.state_history.map(({ to }) => to)).toEqual([
      "running",
      "interrupted",
      "paused",
    ]);
  });

  test("that the owner does not heed in time still stands, and is heeded later", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    expect((await pause(world, 2)).error?.code).toBe("REQUEST_PENDING");
    expect((await look(world)).requests).toMatchObject([{ kind: "pause" }]);
    held.release();
    expect(codeOf(await ending)).toBe("PAUSED");
    expect((await look(world)).requests).toEqual([]);
  });

  test("of an idle or an ended run is refused with its state", async () => {
    const world = new RunWorld();
    const { ports, observer } = world.process("init");
    await initRun(ports, startOptions(), observer);
    expect(await refusal(pause(world))).toBe("INVALID_STATE");
    await run(world);
    expect(await refusal(pause(world))).toBe("RUN_TERMINAL");
    expect(await refusal(abort(world))).toBe("RUN_TERMINAL");
  });
});

describe("abort", () => {
  test("reaches the owner and cuts off the running step", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    expect(await abort(world)).toMatchObject({ result: { state: "aborted" }, error: null });
    expect([codeOf(await ending), stoppedBy(await ending)]).toEqual(["RUN_TERMINAL", "aborted"]);
    expect(await look(world)).toMatchObject({
      state: "aborted",
      manifest: { steps: { [STEP]: { state: "started" } } },
    });
  });

  test("ends a paused run for good: nothing ticks it again", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "pivot" });
    await pause(world);
    expect((await abort(world)).result.state).toBe("aborted");
    const before = await records(world);
    expect([codeOf(await tick(world)), codeOf(await run(world)), codeOf(await resume(world))]).toEqual([
      "RUN_TERMINAL",
      "RUN_TERMINAL",
      "RUN_TERMINAL",
    ]);
    expect(await records(world)).toEqual(before);
  });
});

describe("signals", () => {
  test("Ctrl-C pauses the run, and resume goes on to the same report", async () => {
    const { world, owner, ending } = await heldRun();
    owner.interrupt();
    expect(codeOf(await ending)).toBe("INTERRUPTED_BY_SIGNAL");
    expect(await look(world)).toMatchObject({ state: "paused", lease: { held: null } });
    expect(codeOf(await tick(world))).toBe("PAUSED");
    expect(codeOf(await resume(world))).toBe("ok");
  });

  test("SIGTERM leaves the run interrupted, and a tick goes on", async () => {
    const { world, owner, ending } = await heldRun();
    owner.terminate();
    expect(codeOf(await ending)).toBe("INTERRUPTED_BY_SIGNAL");
    expect(await look(world)).toMatchObject({ state: "interrupted", lease: { held: null } });
    expect([codeOf(await tick(world)), codeOf(await run(world))]).toEqual(["ok", "ok"]);
  });

  test("a step that does not heed the signal is not waited for in vain: it ends, and the run is paused", async () => {
    const { world, held, owner, ending } = await heldRun({}, STEP, false);
    owner.interrupt();
    held.release();
    expect(codeOf(await ending)).toBe("INTERRUPTED_BY_SIGNAL");
    expect(await look(world)).toMatchObject({ state: "paused", manifest: { steps: { [STEP]: { state: "started" } } } });
  });
});

describe("a run that holds when interrupted", () => {
  test("waits for a person after SIGTERM and after a kill", async () => {
    for (const how of ["terminate", "kill"] as const) {
      const { world, held, owner, ending } = await heldRun({ policies: { on_interrupt: "hold" } });
      if (how === "kill") owner.actor.kill();
      else owner.terminate();
      held.release();
      await ending;
      expect([codeOf(await tick(world)), codeOf(await run(world))]).toEqual(["INVALID_STATE", "INVALID_STATE"]);
      expect((await look(world)).manifest.execution_state).toBe("interrupted");
      expect(codeOf(await resume(world))).toBe("ok");
    }
  });
});

test("a pause lets steps that are under way finish, however long they take", async () => {
  const world = new RunWorld();
  takeTime(world, 20_000);
  const ending = start(world);
  const paused = (async () => {
    while (world.outside.timesPerformed(STEP) === 0) await world.world.clock.sleep(100);
    return await pause(world);
  })();
  expect(codeOf(await ending)).toBe("PAUSED");
  expect((await paused).result.state).toBe("paused");
  expect((await look(world)).manifest.steps[STEP]?.state).toBe("completed");
});

describe("a pause asked of a run while a resume lifts it", () => {
  /** The request lies in the run's folder before the resume takes the lease, or right after. */
  async function resumedWith(arrives: "before" | "after", lifts: "earlier" | "all" = "earlier"): Promise<string> {
    const world = new RunWorld();
    expect(codeOf(await start(world, { maxTicks: 2 }))).toBe("ok");
    const asker = world.process("asker").ports;
    const request: Request = {
      schema_version: "request.v1",
      request_id: "pause-1",
      kind: "pause",
      reason: "a test",
      requested_at: timestamp(asker.clock.nowMs()),
    };
    if (arrives === "before") await asker.store.request(RUN_ROOT, request);
    const asking = (store: RunLog): RunLog => ({
      ...store,
      async acquire(runRoot, options) {
        const acquired = await store.acquire(runRoot, options);
        if (arrives === "after") await asker.store.request(RUN_ROOT, request);
        return acquired;
      },
      // A guard taken out: the resume believes that all requests were there before it.
      async look(runRoot, options) {
        const found = await store.look(runRoot, options);
        return lifts === "all" ? { ...found, requests: [request] } : found;
      },
    });
    const { ports, observer, signals } = world.process("resume", { wrapStore: asking });
    return stoppedBy(await endingOf(() => resumeRun(ports, RUN_ROOT, {}, observer, signals)));
  }

  test("is heeded when it comes after the lease was taken, and lifted when it was there before", async () => {
    expect(await resumedWith("after")).toBe("paused");
    expect(await resumedWith("before")).toBe("completed");
  });

  test("control: a resume that lifts every request drops it", async () => {
    expect(await resumedWith("after", "all")).toBe("completed");
  });
});

describe("a reader of the events that takes none", () => {
  /** Room is missing when it is asked for the seventh time, in the middle of a tick. */
  function stalledRun() {
    const world = new RunWorld();
    const owner = world.process("owner");
    const isBack = Promise.withResolvers<void>();
    let asked = 0;
    owner.observer.whenRoom = async () => {
      if (++asked > 6) await isBack.promise;
    };
    const ending = startIn(owner);
    return { world, owner, ending, comeBack: () => isBack.resolve() };
  }

  test("costs the stage no time: neither its owner nor a sweep of another process ends the run", async () => {
    const { world, ending, comeBack } = stalledRun();
    await world.world.clock.sleep(2 * 60 * MINUTE_MS);
    const sweep = await watchRun(world.process("sweeper").ports, RUN_ROOT, { strict: false });
    expect([sweep.error, sweep.result.runs[0]?.timed_out]).toEqual([null, false]);
    expect(await look(world)).toMatchObject({
      state: "running",
      manifest: { tick: { is_open: false }, failures: [] },
      lease: { held: {} },
    });
    comeBack();
    expect(codeOf(await ending)).toBe("ok");
    const { manifest } = await look(world);
    expect(manifest.usage.worked_ms ?? 0).toBeLessThan(MINUTE_MS);
    const bounds = (await records(world)).flatMap((record) =>
      record.kind === "tick.ended" ? [record.data.stopped_by] : record.kind === "tick.started" ? ["started"] : [],
    );
    expect(bounds.slice(bounds.indexOf("reader")).slice(0, 2)).toEqual(["reader", "started"]);
    expect(bounds.filter((bound) => bound === "reader")).toHaveLength(1);
  });

  test("does not keep a pause, an abort or a signal from being heeded", async () => {
    const paused = stalledRun();
    await paused.world.world.clock.sleep(MINUTE_MS);
    expect(await pause(paused.world)).toMatchObject({ result: { state: "paused" }, error: null });
    expect(codeOf(await paused.ending)).toBe("PAUSED");
    const aborted = stalledRun();
    await aborted.world.world.clock.sleep(MINUTE_MS);
    expect(await abort(aborted.world)).toMatchObject({ result: { state: "aborted" }, error: null });
    const ended = stalledRun();
    await ended.world.world.clock.sleep(1000);
    ended.owner.terminate();
    expect(codeOf(await ended.ending)).toBe("INTERRUPTED_BY_SIGNAL");
    expect(await look(ended.world)).toMatchObject({ state: "interrupted", lease: { held: null } });
  });

  test("for a moment only ends no tick", async () => {
    const { world, ending, comeBack } = stalledRun();
    await world.world.clock.sleep(3000);
    comeBack();
    expect(codeOf(await ending)).toBe("ok");
    const ends = (await records(world)).flatMap((record) =>
      record.kind === "tick.ended" ? [record.data.stopped_by] : [],
    );
    expect(ends).not.toContain("reader");
  });
});
