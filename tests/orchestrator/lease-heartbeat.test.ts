// The heartbeat of a lease by a clock of our own: what counts as failures in a row, and when it ends.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { startHeartbeat, type HeartbeatFailure } from "../../src/orchestrator/lease-keeper.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { RefreshOutcome } from "../../src/ports/lease.ts";

const GOOD: RefreshOutcome = { kind: "refreshed", reclaimed: false };
const LOST: RefreshOutcome = { kind: "lost", code: "LOCK_NOT_HELD", reason: ".lock was removed", superseded: false };
const BROKEN: RefreshOutcome = { kind: "failed", reason: "EIO" };

class World {
  uptime = 0;
  isRunning = false;
  refreshes = 0;
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

  start(maxConsecutiveFailures: number): { stop(): void } {
    return startHeartbeat(this.clock, {
      intervalMs: 50,
      leaseSeconds: () => 10,
      maxConsecutiveFailures,
      refresh: async () => {
        this.refreshes++;
        return await this.answer();
      },
      onFailure: (failure) => void this.failures.push(failure),
    });
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
      { code: "LOCK_NOT_HELD", message: ".lock was removed", why: "failed", consecutive_failures: 3 },
    ]);
  });

  test("says it once and refreshes no more", async () => {
    const world = new World();
    world.start(2);
    for (let n = 0; n < 6; n++) await world.beat(BROKEN);
    expect(world.failures).toMatchObject([{ code: "WRITE_FAILED", message: "EIO" }]);
    expect(world.refreshes).toBe(2);
    expect(world.isRunning).toBe(false);
  });

  test("a refresh that throws is a failure like any other", async () => {
    const world = new World();
    world.start(1);
    await world.beat(new Error("out of handles"));
    expect(world.failures).toMatchObject([{ code: "WRITE_FAILED", message: "out of handles" }]);
  });

  test("a store that does not answer is no failure until the margin of the lease is past", async () => {
    const world = new World();
    world.start(2);
    const away = new RunError("UNAVAILABLE", { reason: "away" });
    for (let n = 0; n < 5; n++) await world.beat(away);
    expect(world.failures).toEqual([]);
    await world.beat(GOOD);
    world.uptime += 7_500;
    await world.beat(away);
    expect(world.failures).toMatchObject([{ code: "UNAVAILABLE", why: "unreachable" }]);
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
      { code: "UNAVAILABLE", message: "the lease could not be refreshed in time", why: "unreachable" },
    ]);
    expect(world.refreshes).toBe(1);
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

  test("ends at once when another process took over, and before the lease can expire", async () => {
    const world = new World();
    world.start(3);
    await world.beat({ kind: "lost", code: "LOCK_NOT_OWNED", reason: "a higher epoch", superseded: true });
    expect(world.failures).toMatchObject([{ code: "LOCK_NOT_OWNED", why: "superseded", consecutive_failures: 1 }]);
    const late = new World();
    late.start(3);
    late.uptime = 7_500;
    await late.beat(BROKEN);
    expect(late.failures).toMatchObject([{ code: "WRITE_FAILED", why: "failed", consecutive_failures: 1 }]);
  });
});
