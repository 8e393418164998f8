// Shows that the simulated clock moves only when it should, and fires what is due in order.
import { describe, expect, test } from "bun:test";
import { settled } from "./calls.ts";
import { eventLoopTurn, SimulatedClock } from "./world.ts";

describe("the clock", () => {
  test("moves both readings together, and lets the wall clock jump alone", async () => {
    const clock = new SimulatedClock({ nowMs: 1000, uptimeMs: 50 });
    await clock.advance(10);
    expect([clock.nowMs(), clock.uptimeMs()]).toEqual([1010, 60]);
    clock.setNow(-5_000_000);
    expect([clock.nowMs(), clock.uptimeMs()]).toEqual([-5_000_000, 60]);
    clock.setUptime(0);
    expect([clock.nowMs(), clock.uptimeMs()]).toEqual([-5_000_000, 0]);
  });

  test("ends a sleep at its time, not before, whatever the wall clock does", async () => {
    const clock = new SimulatedClock();
    const sleep = clock.sleep(100);
    clock.setNow(clock.nowMs() + 1_000_000);
    await clock.advance(99);
    expect(await settled(sleep)).toBe("pending");
    await clock.advance(1);
    expect(await settled(sleep)).toBe("resolved");
    expect(clock.timers).toBe(0);
  });

  test("breaks off a sleep with the reason of its signal", async () => {
    const clock = new SimulatedClock();
    const controller = new AbortController();
    const sleep = clock.sleep(100, controller.signal);
    controller.abort(new RangeError("enough"));
    expect(await settled(sleep)).toBe("RangeError");
    expect(await settled(clock.sleep(100, controller.signal))).toBe("RangeError");
    expect(clock.timers).toBe(0);
  });

  test("wakes sleepers in order, each at its own time, and those that they start", async () => {
    const clock = new SimulatedClock({ uptimeMs: 0 });
    const woken: string[] = [];
    const sleeper = async (name: string, ...naps: number[]) => {
      for (const nap of naps) {
        await clock.sleep(nap);
        woken.push(`${name} ${clock.uptimeMs()}`);
      }
    };
    const all = Promise.all([sleeper("a", 30, 30), sleeper("b", 20, 20, 20)]);
    await clock.advance(1000);
    await all;
    expect(woken).toEqual(["b 20", "a 30", "b 40", "a 60", "b 60"]);
    expect(clock.uptimeMs()).toBe(1000);
  });

  test("calls back at every interval until stopped", async () => {
    const clock = new SimulatedClock({ uptimeMs: 0 });
    const calls: number[] = [];
    const timer = clock.every(10, () => calls.push(clock.uptimeMs()));
    await clock.advance(35);
    timer.stop();
    await clock.advance(100);
    expect(calls).toEqual([10, 20, 30]);
  });

  test("fires an interval once, not many times, after the host slept", async () => {
    const clock = new SimulatedClock({ uptimeMs: 0 });
    const calls: number[] = [];
    clock.every(10, () => calls.push(clock.uptimeMs()));
    clock.suspend(1000);
    expect(calls).toEqual([]);
    await clock.advance(5);
    expect(calls).toEqual([1000]);
  });
});

describe("the clock on its own", () => {
  test("ends sleeps by itself and moves both readings", async () => {
    const clock = new SimulatedClock({ nowMs: 0, uptimeMs: 0, autoAdvance: true });
    const calls: number[] = [];
    clock.every(400, () => calls.push(clock.uptimeMs()));
    await clock.sleep(1000);
    expect([clock.nowMs(), clock.uptimeMs()]).toEqual([1000, 1000]);
    expect(calls).toEqual([400, 800]);
  });

  test("lets sleeps side by side overlap", async () => {
    const clock = new SimulatedClock({ uptimeMs: 0, autoAdvance: true });
    await Promise.all([clock.sleep(500), clock.sleep(300).then(() => clock.sleep(100))]);
    expect(clock.uptimeMs()).toBe(500);
  });

  test("moves nothing for a sleep that is aborted in time", async () => {
    const clock = new SimulatedClock({ uptimeMs: 0, autoAdvance: true });
    const controller = new AbortController();
    const limit = clock.sleep(60_000, controller.signal).catch(() => "aborted");
    await clock.sleep(10);
    controller.abort();
    expect(await limit).toBe("aborted");
    await eventLoopTurn();
    expect(clock.uptimeMs()).toBe(10);
  });
});
