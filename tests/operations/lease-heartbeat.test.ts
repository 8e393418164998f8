// The heartbeat of a lease by a clock of our own: what counts as failures in a row, and when it ends.
import { describe, expect, test } from "bun:test";
import { startHeartbeat, type HeartbeatFailure } from "../../src/operations/lease-heartbeat.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { HeldLease } from "../../src/ports/lease-store.ts";
import type { RefreshOutcome } from "../../src/ports/run-log.ts";

const GOOD: RefreshOutcome = { kind: "refreshed", reclaimed: false };
const LOST: RefreshOutcome = { kind: "lost", code: "LOCK_NOT_HELD", reason: ".lock was removed", superseded: false };
const BROKEN: RefreshOutcome = { kind: "failed", reason: "EIO" };

class World {
  uptime = 0;
  isRunning = false;
  refreshes: (number | undefined)[] = [];
  failures: HeartbeatFailure[] = [];
  #beat: () => void = () => undefined;
  answer: () => Promise<RefreshOutcome> = async () => GOOD;

  readonly clock: Clock = {
    nowMs: () => this.uptime,
    uptimeMs: () => this.uptime,
    sleep: async () => undefined,
    turn: async () => undefined,
    every: (_ms, callback) => {
      this.isRunning = true;
      this.#beat = callback;
      return { stop: () => void (this.isRunning = false) };
    },
  };

  readonly lease: HeldLease = {
    record: { pid: 1, lease_seconds: 10, refreshed_at: "2026-01-01T00:00:00.000Z", owner_id: "own_a", epoch: 3 },
    tookOver: undefined,
    forgetTakeover: () => undefined,
    refresh: async (leaseSeconds) => {
      this.refreshes.push(leaseSeconds);
      return await this.answer();
    },
    isSuperseded: async () => false,
    findLoss: async () => null,
    noteBadSync: async () => undefined,
    release: async () => GOOD,
    abandon: async () => undefined,
  };

  start(maxConsecutiveFailures: number, leaseSeconds?: number): { stop(): void } {
    const options = {
      intervalMs: 50,
      maxConsecutiveFailures,
      onFailure: (failure: HeartbeatFailure) => void this.failures.push(failure),
    };
    return startHeartbeat(this.clock, this.lease, leaseSeconds === undefined ? options : { ...options, leaseSeconds });
  }

  /** One interval later, with everything that follows from it done. */
  async beat(answer?: RefreshOutcome | Error): Promise<void> {
    if (answer instanceof Error) this.answer = () => Promise.reject(answer);
    else if (answer !== undefined) this.answer = async () => answer;
    this.uptime += 50;
    if (this.isRunning) this.#beat();
    await Bun.sleep(0);
  }
}

describe("startHeartbeat", () => {
  test("a refresh that works starts the count anew", async () => {
    const world = new World();
    world.start(3);
    for (const answer of [LOST, LOST, GOOD, BROKEN, BROKEN, GOOD, LOST, LOST]) await world.beat(answer);
    expect(world.failures).toEqual([]);
    expect(world.isRunning).toBe(true);
    await world.beat(LOST);
    expect(world.failures).toEqual([
      {
        code: "LOCK_NOT_HELD",
        message: ".lock was removed",
        details: { consecutive_failures: 3, owner_id: "own_a", epoch: 3 },
      },
    ]);
  });

  test("says it once and refreshes no more", async () => {
    const world = new World();
    world.start(2);
    for (let n = 0; n < 6; n++) await world.beat(BROKEN);
    expect(world.failures).toMatchObject([{ code: "WRITE_FAILED", message: "EIO" }]);
    expect(world.refreshes).toHaveLength(2);
    expect(world.isRunning).toBe(false);
  });

  test("a refresh that throws is a failure like any other", async () => {
    const world = new World();
    world.start(1);
    await world.beat(new Error("out of handles"));
    expect(world.failures).toMatchObject([{ code: "WRITE_FAILED", message: "out of handles" }]);
  });

  test("a refresh that hangs counts for nothing until the margin of the lease is past", async () => {
    const world = new World();
    world.start(2);
    world.answer = () => new Promise(() => undefined);
    await world.beat();
    world.uptime = 7_000;
    await world.beat();
    expect(world.failures).toEqual([]);
    world.uptime = 7_600;
    await world.beat();
    expect(world.failures).toMatchObject([
      { code: "WRITE_FAILED", message: "the lease could not be refreshed in time" },
    ]);
    expect(world.refreshes).toHaveLength(1);
  });

  test("stopped while a refresh is under way it says nothing", async () => {
    const world = new World();
    const heartbeat = world.start(1);
    const late = Promise.withResolvers<RefreshOutcome>();
    world.answer = () => late.promise;
    await world.beat();
    heartbeat.stop();
    late.resolve(LOST);
    await Bun.sleep(0);
    expect(world.failures).toEqual([]);
  });

  test("asks for the length that it was given", async () => {
    const world = new World();
    world.start(1, 42);
    await world.beat();
    expect(world.refreshes).toEqual([42]);
  });
});
