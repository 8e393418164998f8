// The throttle before every call: all wait together, longer each time, and none passes once it is closed.
import { describe, expect, test } from "bun:test";
import { halting, Interrupted, type Interruption } from "../../src/ports/interruption.ts";
import { CallThrottle } from "../../src/conversations/call-throttle.ts";
import { SimulatedClock } from "../simulation/clock.ts";

const NO_ABORT = new AbortController().signal;

type Options = { byte?: number; interruption?: () => Interruption | null };

function throttleAt({ byte = 0, interruption = () => null }: Options = {}) {
  const clock = new SimulatedClock({ uptimeMs: 0, autoAdvance: true });
  return {
    clock,
    throttle: new CallThrottle(clock, { bytes: (count) => new Uint8Array(count).fill(byte) }, interruption),
  };
}

async function waitedMs({ clock, throttle }: ReturnType<typeof throttleAt>): Promise<number> {
  const beforeMs = clock.uptimeMs();
  await throttle.pass(NO_ABORT);
  return clock.uptimeMs() - beforeMs;
}

async function refusal(passing: Promise<void>): Promise<unknown> {
  return await passing.then(
    () => "passed",
    (error: unknown) => error,
  );
}

describe("slowing down", () => {
  test("waits longer each time, up to a minute, and begins small again after an answer", async () => {
    const world = throttleAt();
    const waits: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      world.throttle.slowDown(undefined);
      waits.push(await waitedMs(world));
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    world.throttle.answered();
    world.throttle.slowDown(undefined);
    expect(await waitedMs(world)).toBe(1_000);
  });

  test("waits as long as the provider says, and a little more by chance", async () => {
    const world = throttleAt({ byte: 255 });
    world.throttle.slowDown(8_000);
    expect(await waitedMs(world)).toBe(10_000);
  });

  test("waits longer than a provider says that keeps refusing, and never less", async () => {
    const world = throttleAt();
    const waits: number[] = [];
    for (const asked of [500, 500, 500, 20_000, 90_000]) {
      world.throttle.slowDown(asked);
      waits.push(await waitedMs(world));
    }
    expect(waits).toEqual([500, 1_000, 2_000, 60_000, 90_000]);
    expect(world.throttle.waitsInARow).toBe(5);
    world.throttle.answered();
    expect(world.throttle.waitsInARow).toBe(0);
  });

  test("is one wait for those who are refused side by side, as long as the longest that is asked for", async () => {
    const { clock, throttle } = throttleAt();
    for (const asked of [undefined, undefined, 900, 5_000, 3_000]) throttle.slowDown(asked);
    expect(throttle.waitsInARow).toBe(1);
    await throttle.pass(NO_ABORT);
    expect(clock.uptimeMs()).toBe(5_000);
    expect(throttle.nextWaitMs()).toBe(2_000);
  });

  test("is told once, however many wait, and not at all where nobody does", async () => {
    const { clock, throttle } = throttleAt();
    const told: number[] = [];
    throttle.slowDown(undefined, (leftMs) => told.push(leftMs));
    await clock.advance(5_000);
    expect(told).toEqual([]);
    throttle.slowDown(3_000, (leftMs) => told.push(leftMs));
    throttle.slowDown(3_000, (leftMs) => told.push(leftMs));
    await Promise.all([throttle.pass(NO_ABORT), throttle.pass(NO_ABORT)]);
    expect(told).toEqual([6_000]);
  });

  test("holds everybody, not only who was refused", async () => {
    const { clock, throttle } = throttleAt();
    throttle.slowDown(5_000);
    await Promise.all([throttle.pass(NO_ABORT), throttle.pass(NO_ABORT)]);
    expect(clock.uptimeMs()).toBe(5_000);
  });
});

describe("a throttle that is passed no more", () => {
  test("once closed, it says why, also to those who wait", async () => {
    const { throttle } = throttleAt();
    throttle.slowDown(60_000);
    const waiting = throttle.pass(NO_ABORT);
    const halt = halting("quota", { reason: "used up" });
    throttle.close(halt);
    throttle.close(halting("quota", { reason: "another" }));
    expect(await refusal(waiting)).toBe(halt);
    expect(await refusal(throttle.pass(NO_ABORT))).toBe(halt);
  });

  test("who waits sees within a moment that the run is asked to stop", async () => {
    let interruption: Interruption | null = null;
    const { clock, throttle } = throttleAt({ interruption: () => interruption });
    throttle.slowDown(60_000);
    const waiting = throttle.pass(NO_ABORT);
    interruption = { kind: "terminate" };
    expect(await refusal(waiting)).toBeInstanceOf(Interrupted);
    expect(clock.uptimeMs()).toBeLessThanOrEqual(200);
  });

  test("an abort ends the wait at once", async () => {
    const { clock, throttle } = throttleAt();
    const controller = new AbortController();
    throttle.slowDown(60_000);
    const waiting = throttle.pass(controller.signal);
    controller.abort(new Error("lost"));
    expect(await refusal(waiting)).toMatchObject({ message: "lost" });
    expect(clock.uptimeMs()).toBe(0);
  });
});
