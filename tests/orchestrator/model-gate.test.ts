// The gate before every call: all wait together, longer each time, and none passes once it is closed.
import { describe, expect, test } from "bun:test";
import { HaltWanted } from "../../src/orchestrator/halt-wanted.ts";
import { ModelGate } from "../../src/orchestrator/model-gate.ts";
import { StopWanted } from "../../src/orchestrator/stop-wanted.ts";
import { SimulatedClock } from "../simulation/clock.ts";

const NO_ABORT = new AbortController().signal;

function gateAt({ byte = 0, isStopped = () => false }: { byte?: number; isStopped?: () => boolean } = {}) {
  const clock = new SimulatedClock({ uptimeMs: 0, autoAdvance: true });
  return { clock, gate: new ModelGate(clock, { bytes: (count) => new Uint8Array(count).fill(byte) }, isStopped) };
}

async function waitedMs({ clock, gate }: ReturnType<typeof gateAt>): Promise<number> {
  const beforeMs = clock.uptimeMs();
  await gate.pass(NO_ABORT);
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
    const world = gateAt();
    const waits: number[] = [];
    for (let turn = 0; turn < 8; turn++) {
      world.gate.slowDown(undefined);
      waits.push(await waitedMs(world));
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    world.gate.answered();
    world.gate.slowDown(undefined);
    expect(await waitedMs(world)).toBe(1_000);
  });

  test("waits as long as the provider says, and a little more by chance", async () => {
    const world = gateAt({ byte: 255 });
    world.gate.slowDown(8_000);
    expect(await waitedMs(world)).toBe(10_000);
  });

  test("waits longer than a provider says that goes on refusing, and never less", async () => {
    const world = gateAt();
    const waits: number[] = [];
    for (const asked of [500, 500, 500, 20_000, 90_000]) {
      world.gate.slowDown(asked);
      waits.push(await waitedMs(world));
    }
    expect(waits).toEqual([500, 1_000, 2_000, 60_000, 90_000]);
    expect(world.gate.waitsInARow).toBe(5);
    world.gate.answered();
    expect(world.gate.waitsInARow).toBe(0);
  });

  test("is one wait for those who are refused side by side, as long as the longest that is asked for", async () => {
    const { clock, gate } = gateAt();
    for (const asked of [undefined, undefined, 900, 5_000, 3_000]) gate.slowDown(asked);
    expect(gate.waitsInARow).toBe(1);
    await gate.pass(NO_ABORT);
    expect(clock.uptimeMs()).toBe(5_000);
    expect(gate.nextWaitMs()).toBe(2_000);
  });

  test("is told once, however many wait, and not at all where nobody does", async () => {
    const { clock, gate } = gateAt();
    const told: number[] = [];
    gate.slowDown(undefined, (leftMs) => told.push(leftMs));
    await clock.advance(5_000);
    expect(told).toEqual([]);
    gate.slowDown(3_000, (leftMs) => told.push(leftMs));
    gate.slowDown(3_000, (leftMs) => told.push(leftMs));
    await Promise.all([gate.pass(NO_ABORT), gate.pass(NO_ABORT)]);
    expect(told).toEqual([6_000]);
  });

  test("holds everybody, not only who was refused", async () => {
    const { clock, gate } = gateAt();
    gate.slowDown(5_000);
    await Promise.all([gate.pass(NO_ABORT), gate.pass(NO_ABORT)]);
    expect(clock.uptimeMs()).toBe(5_000);
  });
});

describe("a gate that is passed no more", () => {
  test("once closed, it says why, also to those who wait", async () => {
    const { gate } = gateAt();
    gate.slowDown(60_000);
    const waiting = gate.pass(NO_ABORT);
    const halt = new HaltWanted("quota", { reason: "used up" });
    gate.close(halt);
    gate.close(new HaltWanted("quota", { reason: "another" }));
    expect(await refusal(waiting)).toBe(halt);
    expect(await refusal(gate.pass(NO_ABORT))).toBe(halt);
  });

  test("who waits sees within a moment that the run is asked to stop", async () => {
    let isStopped = false;
    const { clock, gate } = gateAt({ isStopped: () => isStopped });
    gate.slowDown(60_000);
    const waiting = gate.pass(NO_ABORT);
    isStopped = true;
    expect(await refusal(waiting)).toBeInstanceOf(StopWanted);
    expect(clock.uptimeMs()).toBeLessThanOrEqual(200);
  });

  test("an abort ends the wait at once", async () => {
    const { clock, gate } = gateAt();
    const controller = new AbortController();
    gate.slowDown(60_000);
    const waiting = gate.pass(controller.signal);
    controller.abort(new Error("lost"));
    expect(await refusal(waiting)).toMatchObject({ message: "lost" });
    expect(clock.uptimeMs()).toBe(0);
  });
});
