// A run and its lease: kept through silence, given up before it can expire, lost, taken anew after a sleep.
import { describe, expect, test } from "bun:test";
import { assert } from "../../src/kernel/assert.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import type { RefreshOutcome } from "../../src/ports/lease.ts";
import type { RunLog, RunWriter } from "../../src/ports/run-log.ts";
import {
  codeOf,
  heldRun,
  holdStep,
  look,
  MINUTE_MS,
  records,
  run,
  RUN_ROOT,
  RunWorld,
  start,
  STEP,
  takeTime,
} from "./at-work.ts";
import { changed, withWriters } from "../simulation/changed.ts";
import { endingOf, startOptions } from "../simulation/run-world.ts";

const LOCK = `${RUN_ROOT}/.lock`;

/** A store whose writers refresh their lease like this. */
function refreshing(refresh: (writer: RunWriter) => Promise<RefreshOutcome>): (store: RunLog) => RunLog {
  return (store) => withWriters(store, (writer) => changed(writer, { refresh: () => refresh(writer) }));
}

describe("the heartbeat", () => {
  /** Whether another process finds the lease held when one step has been silent for 15 of its 16 minutes. */
  async function isHeldInSilence(wrapStore: (store: RunLog) => RunLog): Promise<boolean> {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world, {}, { wrapStore });
    await held.reached;
    await world.world.clock.advance(15 * MINUTE_MS);
    const { lease } = await look(world);
    await world.world.clock.advance(MINUTE_MS);
    held.release();
    await ending;
    return lease.held !== null;
  }

  test("keeps the lease through 16 minutes in which a step says nothing (L5)", async () => {
    expect(await isHeldInSilence((store) => store)).toBe(true);
  });

  test("control: without it the lease expires", async () => {
    expect(await isHeldInSilence(refreshing(async () => ({ kind: "refreshed", reclaimed: false })))).toBe(false);
  });
});

describe("a lease that cannot be refreshed", () => {
  /** How much of the lease had passed when the work was told to stop; null when it never was. */
  async function shareAtStop(refresh: () => Promise<RefreshOutcome>, code = "LOCK_LOST"): Promise<number | null> {
    const world = new RunWorld();
    const held = holdStep(world);
    const lease = { lease_seconds: 100, heartbeat_seconds: 5, max_consecutive_failures: 1000 };
    const ending = start(world, { lease }, { wrapStore: refreshing(refresh) });
    const { tools } = await held.reached;
    const sinceMs = world.world.clock.uptimeMs();
    let stoppedAfterMs: number | null = null;
    tools.signal.addEventListener("abort", () => (stoppedAfterMs = world.world.clock.uptimeMs() - sinceMs));
    await world.world.clock.advance(99_000);
    held.release();
    expect(codeOf(await ending)).toBe(stoppedAfterMs === null ? "ok" : code);
    return stoppedAfterMs === null ? null : stoppedAfterMs / 100_000;
  }

  test("stops the work at 75 % of it, when refreshing fails (L5)", async () => {
    expect(await shareAtStop(async () => ({ kind: "failed", reason: "EIO" }))).toBe(0.75);
  });

  test("and when refreshing never returns", async () => {
    const share = await shareAtStop(() => new Promise(() => undefined), "UNAVAILABLE");
    expect(share).toBeGreaterThanOrEqual(0.75);
    expect(share).toBeLessThan(0.85);
  });

  test("control: with a keeper that believes itself the work is never stopped", async () => {
    expect(await shareAtStop(async () => ({ kind: "refreshed", reclaimed: false }))).toBe(null);
  });

  test("is lost after the allowed failures in a row, and the run says so", async () => {
    const world = new RunWorld();
    takeTime(world, 5 * MINUTE_MS);
    const ending = await start(world, {}, { wrapStore: refreshing(async () => ({ kind: "failed", reason: "EIO" })) });
    expect(codeOf(ending)).toBe("LOCK_LOST");
    const { manifest } = await look(world);
    expect(manifest.execution_state).toBe("failed");
    expect(manifest.failures).toMatchObject([{ kind: "lock_lost", stage: "wave1" }]);
  });

  test("one failure between successes loses nothing", async () => {
    const world = new RunWorld();
    takeTime(world, 5 * MINUTE_MS);
    let beats = 0;
    const everySecond = (writer: RunWriter): Promise<RefreshOutcome> =>
      ++beats % 2 === 0 ? writer.refresh() : Promise.resolve({ kind: "failed", reason: "EIO" });
    expect(codeOf(await start(world, {}, { wrapStore: refreshing(everySecond) }))).toBe("ok");
    expect(beats).toBeGreaterThan(5);
  });
});

describe("when .lock is removed while a step works", () => {
  test("the work ends, the run is failed with lock_lost, and the command with LOCK_LOST", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    world.world.disk.erase(LOCK);
    await world.world.clock.advance(MINUTE_MS);
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    const { manifest, lease } = await look(world);
    expect(manifest.execution_state).toBe("failed");
    expect(manifest.failures).toMatchObject([{ kind: "lock_lost" }]);
    expect(lease.held).toBe(null);
  });

  test("one heartbeat that misses it is not the allowed number of failures", async () => {
    const world = new RunWorld();
    takeTime(world, 5 * MINUTE_MS);
    const atBeat = { nth: 0 };
    const absentOnce = async (writer: RunWriter): Promise<RefreshOutcome> => {
      if (++atBeat.nth !== 2) return await writer.refresh();
      const files = world.process("person").actor.files;
      await files.rename(LOCK, `${LOCK}-away`);
      const outcome = await writer.refresh();
      await files.rename(`${LOCK}-away`, LOCK);
      expect(outcome).toMatchObject({ kind: "lost", superseded: false });
      return outcome;
    };
    expect(codeOf(await start(world, {}, { wrapStore: refreshing(absentOnce) }))).toBe("ok");
    expect(atBeat.nth).toBeGreaterThan(3);
  });

  test("and a rival takes over, the loser writes nothing more", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    world.world.disk.erase(LOCK);
    expect(codeOf(await run(world))).toBe("ok");
    const before = world.world.disk.snapshot();
    await world.world.clock.advance(MINUTE_MS);
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    expect(world.world.disk.snapshot()).toEqual(before);
    expect(await look(world)).toMatchObject({ state: "completed", manifest: { failures: [] } });
  });
});

describe("when .lock is removed or taken within a tick that no heartbeat falls into", () => {
  const REMOVED = (world: RunWorld): void => world.world.disk.erase(LOCK);
  const REPLACED = async (world: RunWorld): Promise<void> => {
    const { files } = world.process("other tool").actor;
    const record = { schema_version: "lock.v1", pid: 1, lease_seconds: 600, refreshed_at: "2099-01-01T00:00:00.000Z" };
    const handle = await files.open(`${LOCK}-theirs`, "create");
    await handle.write(new TextEncoder().encode(JSON.stringify({ ...record, owner_id: "theirs", epoch: 1 })));
    await handle.close();
    await files.rename(`${LOCK}-theirs`, LOCK);
  };

  async function tickWithout(
    take: (world: RunWorld) => void | Promise<void>,
    options: { wrapStore?: (store: RunLog) => RunLog; key?: string; maxTicks?: number } = {},
  ): Promise<{ code: string; state: string; kinds: string[] }> {
    const world = new RunWorld();
    const { key = STEP, maxTicks, wrapStore } = options;
    world.outside.beforeStep = async (performing) => {
      if (performing.key === key && performing.nth === 1) await take(world);
    };
    const process = wrapStore === undefined ? {} : { wrapStore };
    const ending = await start(world, maxTicks === undefined ? {} : { maxTicks }, process);
    const { manifest } = await look(world);
    return { code: codeOf(ending), state: manifest.execution_state, kinds: manifest.failures.map(({ kind }) => kind) };
  }
  const LOST = { code: "LOCK_LOST", state: "failed", kinds: ["lock_lost"] };

  test("the tick ends with LOCK_LOST, and the run is failed with lock_lost", async () => {
    expect(await tickWithout(REMOVED, { maxTicks: 2 })).toEqual(LOST);
    expect(await tickWithout(REPLACED, { maxTicks: 2 })).toEqual(LOST);
    expect(await tickWithout(REMOVED, { key: "review:draft-1" })).toEqual(LOST);
  });

  test("a bug and a signal that meet a lock that is gone leave a run that is failed with lock_lost, no halt and no pause", async () => {
    const withBug = (world: RunWorld): void => {
      REMOVED(world);
      assert(false, "a bug");
    };
    expect(await tickWithout(withBug)).toEqual(LOST);
    const world = new RunWorld();
    const process = world.process("stopped");
    world.outside.beforeStep = async ({ key }) => {
      if (key !== STEP) return;
      REMOVED(world);
      process.terminate();
    };
    const { ports, observer, signals } = process;
    expect(codeOf(await endingOf(() => startRun(ports, startOptions(), observer, signals)))).toBe("LOCK_LOST");
    expect((await look(world)).manifest).toMatchObject({
      execution_state: "failed",
      failures: [{ kind: "lock_lost" }],
    });
  });

  test("control: without the look at the end of a tick the run completes as if nothing had happened", async () => {
    const blind = (store: RunLog): RunLog =>
      withWriters(store, (writer) => changed(writer, { findLoss: async () => null }));
    expect((await tickWithout(REMOVED, { wrapStore: blind })).code).toBe("ok");
  });
});

describe("a host that sleeps past the lease", () => {
  test("claims it again at the next epoch and goes on, when nobody came", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    world.world.clock.suspend(10 * MINUTE_MS);
    expect((await look(world)).state).toBe("interrupted");
    await world.world.clock.advance(MINUTE_MS);
    expect((await look(world)).state).toBe("running");
    held.release();
    expect(codeOf(await ending)).toBe("ok");
    const taken = (await records(world)).filter(({ kind }) => kind === "lease.taken");
    expect(taken.map(({ epoch }) => epoch)).toEqual([1, 2]);
    expect(world.outside.timesPerformed(STEP)).toBe(1);
  });

  test("has lost it when somebody came meanwhile", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    world.world.clock.suspend(10 * MINUTE_MS);
    expect(codeOf(await run(world))).toBe("ok");
    await world.world.clock.advance(MINUTE_MS);
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    expect((await look(world)).state).toBe("completed");
  });
});

describe("a take-over", () => {
  test("from a killed owner does not wait for the lease (L3)", async () => {
    const { world, held, owner, ending } = await heldRun();
    expect(codeOf(await run(world))).toBe("LOCK_HELD");
    owner.actor.kill();
    held.release();
    expect(codeOf(await ending)).toBe("crashed");
    const beforeMs = world.world.clock.uptimeMs();
    expect(codeOf(await run(world))).toBe("ok");
    expect(world.world.clock.uptimeMs() - beforeMs).toBeLessThan(1000);
  });

  test("is not hindered by a clock that is 20 years off either way (L4)", async () => {
    const yearsMs = 20 * 365 * 86_400_000;
    for (const offMs of [yearsMs, -yearsMs]) {
      const world = new RunWorld();
      const held = holdStep(world);
      const ending = start(world);
      await held.reached;
      world.world.reboot();
      held.release();
      expect(codeOf(await ending)).toBe("crashed");
      world.world.clock.setNow(world.world.clock.nowMs() + offMs);
      expect(codeOf(await run(world))).toBe("ok");
    }
  });

  test("control: with a clock that is right the lease of another boot has to run out first", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const ending = start(world);
    await held.reached;
    world.world.reboot();
    held.release();
    await ending;
    expect(codeOf(await run(world))).toBe("LOCK_HELD");
    world.world.clock.suspend(2 * MINUTE_MS);
    expect(codeOf(await run(world))).toBe("ok");
  });
});

describe("a corpus that cannot be closed", () => {
  test("leaves no lease behind: the next process works at once", async () => {
    const world = new RunWorld();
    await start(world, { untilStage: "wave1" });
    const { ports, observer, signals } = world.process("owner");
    const openCorpora: typeof ports.openCorpora = async (...asked) => {
      const opened = await ports.openCorpora(...asked);
      const close = (): void => assert(false, "it cannot be closed");
      return { ...opened, provider: changed(opened.provider, { close }) };
    };
    const options = { untilStage: "pivot" } as const;
    const ending = await endingOf(() => runRun({ ...ports, openCorpora }, RUN_ROOT, options, observer, signals));
    expect(codeOf(ending)).toContain("it cannot be closed");
    expect((await look(world)).lease.held).toBe(null);
    expect(codeOf(await run(world))).toBe("ok");
  });
});
