// Shows that the simulated host's chance, process table and processes do what the crash tests take for granted.
import { describe, expect, test } from "bun:test";
import { settled } from "./calls.ts";
import { Crashed, dropUnsynced } from "./disk.ts";
import { eventLoopTurn, ProcessTable, SimulatedRandom, SimulatedWorld } from "./world.ts";

describe("chance", () => {
  test("is the same for the same seed, and another for another", () => {
    const bytesOf = (seed: number) => [...new SimulatedRandom(seed).bytes(16)];
    expect(bytesOf(1)).toEqual(bytesOf(1));
    expect(bytesOf(1)).not.toEqual(bytesOf(2));
    const random = new SimulatedRandom(1);
    expect([...random.bytes(16)]).not.toEqual([...random.bytes(16)]);
  });

  test("reaches every number below a limit, and none beyond", () => {
    const random = new SimulatedRandom(3);
    const seen = new Set(Array.from({ length: 500 }, () => random.below(7)));
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe("the process table", () => {
  test("knows who is alive, since when, and who is gone", () => {
    const table = new ProcessTable();
    const [one, other] = [table.spawn(), table.spawn()];
    const { pid, process_started } = other.self();
    expect(one.facts(pid)).toEqual({ kind: "alive", started: process_started });
    table.kill(pid);
    expect(one.facts(pid)).toEqual({ kind: "gone" });
    expect(one.facts(99_999)).toEqual({ kind: "gone" });
  });

  test("gives a pid that is used again another start time", () => {
    const table = new ProcessTable();
    const first = table.spawn();
    const { pid, process_started } = first.self();
    table.kill(pid);
    const second = table.spawn(pid);
    expect(second.self().pid).toBe(pid);
    expect(first.facts(pid)).toEqual({ kind: "alive", started: second.self().process_started });
    expect(second.self().process_started).not.toBe(process_started);
  });

  test("says nothing of a process that it may not see", () => {
    const table = new ProcessTable();
    const process = table.spawn();
    table.hide(process.self().pid);
    expect(process.facts(process.self().pid)).toEqual({ kind: "unknown" });
  });

  test("is empty after a reboot, under another boot id", () => {
    const table = new ProcessTable();
    const before = table.spawn().self();
    table.reboot();
    expect(table.facts(before.pid)).toEqual({ kind: "gone" });
    const after = table.spawn().self();
    expect(after.boot_id).not.toBe(before.boot_id);
    expect(after.pid).toBe(before.pid);
    table.reboot();
    expect(new Set([before.boot_id, after.boot_id, table.bootId]).size).toBe(3);
  });
});

describe("the world", () => {
  test("a process that crashes is gone from the table, and its timers with it", async () => {
    const world = new SimulatedWorld();
    const [one, other] = [world.spawn("one"), world.spawn("other")];
    const beats: number[] = [];
    one.clock.every(10, () => beats.push(world.clock.uptimeMs()));
    const nap = one.clock.sleep(10);
    one.files.plan({ kind: "crash-before", at: 1 });
    expect(() => one.files.facts("/")).toThrow(Crashed);
    expect(other.processes.facts(one.pid)).toEqual({ kind: "gone" });
    expect(await settled(nap)).toBe("Crashed");
    expect(await settled(one.clock.sleep(1))).toBe("Crashed");
    await world.clock.advance(100);
    expect(beats).toEqual([]);
    expect(other.processes.facts(other.pid).kind).toBe("alive");
  });

  test("the timers of a frozen process wait for its thaw, those of others do not", async () => {
    const world = new SimulatedWorld({ uptimeMs: 0 });
    const [frozen, other] = [world.spawn("frozen"), world.spawn("other")];
    const fired: string[] = [];
    frozen.clock.every(10, () => fired.push(`frozen ${world.clock.uptimeMs()}`));
    other.clock.every(25, () => fired.push(`other ${world.clock.uptimeMs()}`));
    frozen.freeze();
    await world.clock.advance(30);
    expect(fired).toEqual(["other 25"]);
    expect(other.processes.facts(frozen.pid).kind).toBe("alive");
    frozen.thaw();
    expect(fired).toEqual(["other 25"]);
    await eventLoopTurn();
    await eventLoopTurn();
    expect(fired).toEqual(["other 25", "frozen 30"]);
  });

  test("a call that was frozen returns before the overdue timers fire", async () => {
    const world = new SimulatedWorld();
    const actor = world.spawn("p");
    const order: string[] = [];
    actor.clock.every(10, () => order.push("timer"));
    actor.files.plan({ kind: "freeze", at: 1 });
    const work = (async () => {
      await actor.files.makeFolder("/a");
      await actor.files.makeFolder("/b");
      order.push("calls");
    })();
    await actor.files.whenFrozen();
    await world.clock.advance(1000);
    actor.thaw();
    await work;
    await eventLoopTurn();
    await eventLoopTurn();
    expect(order).toEqual(["calls", "timer"]);
  });

  test("a power cut is another boot on what was durable", async () => {
    const world = new SimulatedWorld();
    const before = world.spawn("before");
    await before.files.makeFolder("/unsynced");
    world.powerCut(dropUnsynced);
    const after = world.spawn("after");
    expect(world.disk.paths()).toEqual([]);
    expect(after.processes.self().boot_id).not.toBe(before.processes.self().boot_id);
    expect(after.clock.uptimeMs()).toBe(0);
    expect(() => before.files.facts("/")).toThrow(Crashed);
  });

  test("an orderly reboot loses no file", async () => {
    const world = new SimulatedWorld();
    const before = world.spawn("before");
    await before.files.makeFolder("/unsynced");
    world.reboot();
    expect(world.disk.paths()).toEqual(["/unsynced"]);
    expect(world.spawn("after").processes.facts(before.processes.self().pid).kind).toBe("alive");
    expect(world.spawn("other").processes.self().boot_id).not.toBe(before.processes.self().boot_id);
  });

  test("a clone is the same host, with everyone killed", async () => {
    const world = new SimulatedWorld({ autoAdvance: true, hostname: "h" });
    const actor = world.spawn("p");
    await actor.files.makeFolder("/unsynced");
    await actor.clock.sleep(500);
    const twin = world.cloneKilled();
    const next = twin.spawn("next");
    expect(twin.disk.paths()).toEqual(["/unsynced"]);
    expect(next.processes.facts(actor.pid)).toEqual({ kind: "gone" });
    const { hostname, boot_id } = actor.processes.self();
    expect(next.processes.self()).toMatchObject({ hostname, boot_id });
    expect([twin.clock.nowMs(), twin.clock.uptimeMs()]).toEqual([world.clock.nowMs(), world.clock.uptimeMs()]);
    expect(next.random.bytes(8)).toEqual(world.spawn("next").random.bytes(8));
    expect(next.processes.self().process_started).not.toBe(actor.processes.self().process_started);
    await next.files.makeFolder("/later");
    expect(world.disk.paths()).toEqual(["/unsynced"]);
  });
});
