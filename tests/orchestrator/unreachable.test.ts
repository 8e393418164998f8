// A run whose store does not answer for a while: unreachable is not lost.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { behindLink, Link, type LinkOptions } from "../conformance/link.ts";
import { changed, withWriters } from "../simulation/changed.ts";
import {
  codeOf,
  holdStep,
  look,
  MINUTE_MS,
  records,
  run,
  RUN_ROOT,
  RunWorld,
  startIn,
  STEP,
  type Ending,
  type HeldStep,
} from "./at-work.ts";

const SHORT = { lease_seconds: 8, heartbeat_seconds: 2, max_consecutive_failures: 2 };
const SECOND_MS = 1000;

interface Cut {
  world: RunWorld;
  held: HeldStep;
  ending: Promise<Ending>;
  /** The share of the time for which the store was away when the step was told to stop; null when it was not. */
  stoppedAfterMs: () => number | null;
}

interface CutOptions extends LinkOptions {
  lease?: { lease_seconds: number };
  wrap?: (store: RunLog) => RunLog;
}

/** A run whose store is cut off for a time in the middle of a step, 1 s after a heartbeat. Others reach it. */
async function cutOff(forMs: number, { wrap = (store) => store, lease, ...link }: CutOptions = {}): Promise<Cut> {
  const world = new RunWorld();
  const { clock } = world.world;
  const held = holdStep(world);
  const cut = new Link(clock);
  const owner = world.process("owner", { wrapStore: (store) => wrap(behindLink(store, cut, link)) });
  const ending = startIn(owner, { lease: { ...SHORT, ...lease } });
  const { tools } = await held.reached;
  await clock.advance(3 * SECOND_MS);
  const sinceMs = clock.uptimeMs();
  let stoppedAfterMs: number | null = null;
  tools.signal.addEventListener("abort", () => (stoppedAfterMs = clock.uptimeMs() - sinceMs));
  cut.cut(forMs);
  return { world, held, ending, stoppedAfterMs: () => stoppedAfterMs };
}

async function kinds(world: RunWorld): Promise<string[]> {
  return (await records(world)).map(({ kind }) => kind);
}

describe("a store that is away for 7 s", () => {
  test("and a lease of 8 s: all work stops at 75 % of it, then the run continues, and no failure is recorded", async () => {
    const { world, ending, stoppedAfterMs } = await cutOff(6 * SECOND_MS);
    await world.world.clock.advance(6 * SECOND_MS);
    expect(codeOf(await ending)).toBe("ok");
    // One second of the lease had passed before.
    expect(stoppedAfterMs()).toBeLessThanOrEqual(5 * SECOND_MS);
    const { manifest } = await look(world);
    expect(manifest).toMatchObject({ execution_state: "completed", failures: [], epoch: 1 });
    expect(world.outside.timesPerformed(STEP)).toBe(2);
    expect((await kinds(world)).filter((kind) => kind === "lease.taken")).toHaveLength(1);
  });

  test("and a lease of 2 minutes: the step goes on, and what it stores waits for the store", async () => {
    const { world, held, ending, stoppedAfterMs } = await cutOff(7 * SECOND_MS, { lease: { lease_seconds: 120 } });
    held.release();
    expect(codeOf(await ending)).toBe("ok");
    expect([stoppedAfterMs(), world.outside.timesPerformed(STEP)]).toEqual([null, 1]);
    expect((await look(world)).manifest.failures).toEqual([]);
  });

  test("control: a keeper that takes no answer for a loss fails the run", async () => {
    const asLoss = (store: RunLog): RunLog =>
      withWriters(store, (writer) =>
        changed(writer, {
          refresh: () =>
            writer.refresh().catch((error: unknown) => ({ kind: "failed" as const, reason: String(error) })),
        }),
      );
    const { world, ending } = await cutOff(7 * SECOND_MS, { wrap: asLoss });
    await world.world.clock.advance(7 * SECOND_MS);
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    expect((await look(world)).manifest.execution_state).toBe("failed");
  });
});

describe("a store that is away beyond the lease", () => {
  test("ends the command with UNAVAILABLE, nothing is written, and the run is due again", async () => {
    const { world, ending } = await cutOff(MINUTE_MS);
    const before = await kinds(world);
    await world.world.clock.advance(30 * SECOND_MS);
    expect(codeOf(await ending)).toBe("UNAVAILABLE");
    expect(await kinds(world)).toEqual(before);
    const { state, manifest, lease } = await look(world);
    expect([state, lease.held, manifest.halt, manifest.failures]).toEqual(["interrupted", null, null, []]);
    expect(codeOf(await run(world))).toBe("ok");
    expect((await look(world)).manifest.failures).toEqual([]);
  });

  test("hands the run back when it is reached again, but only after the lease ran out", async () => {
    const { world, ending } = await cutOff(12 * SECOND_MS);
    await world.world.clock.advance(12 * SECOND_MS);
    expect(codeOf(await ending)).toBe("UNAVAILABLE");
    const { state, manifest } = await look(world);
    expect([state, manifest.failures, manifest.halt]).toEqual(["interrupted", [], null]);
    expect(codeOf(await run(world))).toBe("ok");
  });

  test("control: an adapter that lets its driver's error through halts the run as a bug", async () => {
    const awayError = (): Error => new Error("ERR_POSTGRES_CONNECTION_CLOSED");
    const lease = { lease_seconds: 120 };
    const { world, held, ending } = await cutOff(2500, { lease, awayError, patienceMs: SECOND_MS });
    held.release();
    expect(codeOf(await ending)).toBe("INTERNAL");
    expect((await look(world)).manifest.halt).toMatchObject({ kind: "internal" });
  });

  test("a commit whose answer never came ends the command with UNAVAILABLE, and the next owner goes on from it", async () => {
    const world = new RunWorld();
    const held = holdStep(world);
    const link = new Link(world.world.clock);
    const owner = world.process("owner", { wrapStore: (store) => behindLink(store, link) });
    const ending = startIn(owner, { lease: { ...SHORT, lease_seconds: 120 } });
    await held.reached;
    link.cut(MINUTE_MS, "answers lost");
    const before = await kinds(world);
    held.release();
    expect(codeOf(await ending)).toBe("UNAVAILABLE");
    expect((await kinds(world)).length).toBeGreaterThan(before.length);
    world.world.clock.suspend(3 * MINUTE_MS);
    expect(codeOf(await run(world))).toBe("ok");
    const done = (await records(world)).flatMap((record) =>
      record.kind === "step.completed" ? [record.data.key] : [],
    );
    expect(done).toHaveLength(new Set(done).size);
    expect((await look(world)).manifest.failures).toEqual([]);
  });
});

describe("while a store is away", () => {
  test("another process may take over; then this one writes nothing more", async () => {
    const { world, held, ending } = await cutOff(30 * SECOND_MS, { lease: { lease_seconds: 120 } });
    world.world.clock.suspend(3 * MINUTE_MS);
    expect(codeOf(await run(world))).toBe("ok");
    const before = world.world.disk.snapshot();
    held.release();
    await world.world.clock.advance(MINUTE_MS);
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    expect(world.world.disk.snapshot()).toEqual(before);
  });

  test("its lease may be taken away: that fails the run, as ever", async () => {
    const { world, ending } = await cutOff(6 * SECOND_MS);
    world.world.disk.erase(`${RUN_ROOT}/.lock`);
    await world.world.clock.advance(6 * SECOND_MS);
    expect(codeOf(await ending)).toBe("LOCK_LOST");
    expect((await look(world)).manifest.failures).toMatchObject([{ kind: "lock_lost" }]);
  });

  test("Ctrl-C is heeded once it is back", async () => {
    const world = new RunWorld();
    const { clock } = world.world;
    const held = holdStep(world);
    const link = new Link(clock);
    const owner = world.process("owner", { wrapStore: (store) => behindLink(store, link) });
    const ending = startIn(owner, { lease: SHORT });
    const { tools } = await held.reached;
    await clock.advance(3 * SECOND_MS);
    link.cut(6 * SECOND_MS);
    tools.signal.addEventListener("abort", () => owner.interrupt());
    await clock.advance(6 * SECOND_MS);
    expect(codeOf(await ending)).toBe("INTERRUPTED_BY_SIGNAL");
    expect((await look(world)).state).toBe("paused");
  });
});

test("what a look meets is UNAVAILABLE, too", async () => {
  const world = new RunWorld();
  const link = new Link(world.world.clock);
  const { store } = world.process("looker", { wrapStore: (store) => behindLink(store, link) }).ports;
  link.cut(MINUTE_MS);
  const error = await store.look(RUN_ROOT).catch((thrown: unknown) => thrown);
  expect(error instanceof RunError && error.code).toBe("UNAVAILABLE");
});
