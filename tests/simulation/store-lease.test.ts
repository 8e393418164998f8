// L1, L2, L4: a frozen owner and its successor, many who want one lease, clocks that lie.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import type { Files } from "../../src/ports/files.ts";
import type { HeldLease } from "../../src/stores/lease/lease-claim.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import { MAX_LEASE_S } from "../../src/run/lease.ts";
import { leaseFiles } from "../../src/stores/lease/lease-files.ts";
import { noted, runCreated, sourceNamed } from "../conformance/sample-run.ts";
import { bytes, text } from "./calls.ts";
import { numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";
import type { SweepRow } from "./sweep-rows.ts";
import { changed } from "./changed.ts";
import {
  Acknowledged,
  endOf,
  intact,
  LEASE_S,
  mustAcquire,
  recover,
  rehearse,
  RUN,
  storeOf,
  violations,
  workload,
  type Guard,
} from "./store-workload.ts";
import { eventLoopTurn, SimulatedRandom, SimulatedWorld, type Actor } from "./world.ts";
import { takeoverOf } from "../conformance/takeover.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const makeWorld = (): SimulatedWorld => new SimulatedWorld({ autoAdvance: true });

describe("an owner that is frozen past its lease (L1)", () => {
  /** Freezes the workload at an effect, lets a rival take over and work, thaws; `stays` tells whether the rival still holds the lease. */
  async function freezeAt(at: number, stays: boolean, guard: Guard): Promise<string[]> {
    const world = makeWorld();
    const told = new Acknowledged();
    const slow = world.spawn("slow");
    slow.files.plan({ kind: "freeze", at });
    const ending = endOf(workload(storeOf(slow, guard), told));
    await Promise.race([slow.files.whenFrozen(), ending]);
    const owned = await ownedBy(world, slow);
    await world.clock.advance(LEASE_S * 1000 + 1);
    const rival = storeOf(world.spawn("rival"));
    let writer: RunWriter | null = null;
    if (stays) {
      await rival.create(
        RUN,
        [runCreated(), sourceNamed("The first source.").draft],
        [sourceNamed("The first source.")],
      );
      writer = await mustAcquire(rival);
      told.noteOwner(writer);
      told.note(await writer.commit([noted("of the rival")]));
    } else {
      await recover(rival, told);
    }
    const afterRival = await recordsBy(world);
    slow.thaw();
    const end = await ending;
    const found = await violations(world, told);
    if (owned !== null) {
      const late = (await recordsBy(world)).slice(afterRival.length).filter(({ epoch }) => epoch <= owned);
      if (late.length > 0) found.push("a record of the frozen owner counts");
      if (end !== "LOCK_LOST" && !isPastItsCommits(end, stays)) found.push(`the frozen owner ended with ${end}`);
    }
    if (end.startsWith("untyped")) found.push(end);
    if (writer !== null) {
      // The late owner may have made the journal anew while it thawed only if it never owned this run's lease before.
      told.note(await writer.commit([noted("the rival goes on")]));
      await writer.release();
    }
    slow.kill();
    const last = await endOf(recover(storeOf(world.spawn("last")), told));
    if (last !== "done") found.push(`the last process: ${last}`);
    return [...found, ...(await violations(world, told))];
  }

  /** Frozen in its release, it has nothing left to commit under that lease: then it goes on, or finds it held. */
  function isPastItsCommits(end: string, stays: boolean): boolean {
    return end === "done" || (stays && end === "LOCK_HELD");
  }

  async function sweepFreezes(
    row: SweepRow | null,
    count: number,
    guard: Guard = intact,
    until?: RegExp,
  ): Promise<Sweep> {
    const sweep = new Sweep(row, "once");
    const { effects } = await rehearse(makeWorld, guard);
    for (const at of sweep.drawn(numbersTo(effects), count)) {
      for (const stays of [false, true]) {
        let found: string[];
        try {
          found = await freezeAt(at, stays, guard);
        } catch (error) {
          if (!(error instanceof RunError)) throw error;
          found = [`${error.message} ${JSON.stringify(error.facts)}`];
        }
        sweep.note(`frozen at ${at}, the rival ${stays ? "stays" : "leaves"}`, found);
        if (until?.test(sweep.found.join("\n"))) return sweep;
      }
    }
    return sweep;
  }

  test("overwrites nothing of its successor and ends with LOCK_LOST, wherever it was frozen", async () => {
    expect((await sweepFreezes("frozen, once and twice, while a rival works", 40)).end()).toEqual([]);
  });

  test("loses nothing that was acknowledged when its successor is frozen as well, and it goes on first", async () => {
    const sweep = new Sweep("frozen, once and twice, while a rival works", "twice");
    const { effects } = await rehearse(makeWorld);
    for (const at of sweep.drawn(numbersTo(effects), 10)) {
      for (const second of sweep.drawnWithin(numbersTo(130), 6)) {
        const world = makeWorld();
        const told = new Acknowledged();
        const [slow, rival] = [world.spawn("slow"), world.spawn("rival")];
        slow.files.plan({ kind: "freeze", at });
        rival.files.plan({ kind: "freeze", at: second });
        const slowEnd = endOf(workload(storeOf(slow), told));
        await Promise.race([slow.files.whenFrozen(), slowEnd]);
        await world.clock.advance(LEASE_S * 1000 + 1);
        const rivalEnd = endOf(recover(storeOf(rival), told));
        await Promise.race([rival.files.whenFrozen(), rivalEnd]);
        slow.thaw();
        const ends = [await slowEnd];
        rival.thaw();
        ends.push(await rivalEnd);
        const found = [...ends.filter((end) => end.startsWith("untyped")), ...(await violations(world, told))];
        world.kill();
        const last = await endOf(recover(storeOf(world.spawn("last")), told));
        if (last !== "done") found.push(`the last process: ${last}`);
        sweep.note(`frozen at ${at} and ${second}: ${ends.join(", ")}`, [...found, ...(await violations(world, told))]);
      }
    }
    expect(sweep.end()).toEqual([]);
  });

  test("control: with writes in place instead of appends it overwrites its successor", async () => {
    const inPlace: Guard = (files) =>
      changed(files, {
        open: async (path, mode) => {
          if (mode !== "append") return await files.open(path, mode);
          const handle = await files.open(path, "update");
          let end = (await handle.facts()).size;
          return changed(handle, {
            write: async (content) => {
              const taken = await handle.writeAt(content, end);
              end += taken;
              return taken;
            },
          });
        },
      });
    const until = /is gone|damaged/;
    expect((await sweepFreezes(null, 300, inPlace, until)).found.join("\n")).toMatch(until);
  });
});

async function ownedBy(world: SimulatedWorld, actor: Actor): Promise<number | null> {
  try {
    const { lease } = await storeOf(world.spawn("looker")).look(RUN);
    return lease.held?.description?.pid === actor.pid ? lease.held.epoch : null;
  } catch (error) {
    if (error instanceof RunError) return null;
    throw error;
  }
}

async function recordsBy(world: SimulatedWorld): Promise<{ epoch: number }[]> {
  return await storeOf(world.spawn("looker")).records(RUN);
}

describe("a late owner and content under one name (L1)", () => {
  const PATH = "reports/1/report.md";

  /** Both want to set aside what a dead writer left under the name; the first is frozen at an effect of its own storing. */
  async function storeLate(at: number, guard: Guard): Promise<{ found: string[]; isOver: boolean }> {
    const world = makeWorld();
    const slow = world.spawn("slow");
    const store = storeOf(slow, guard);
    await store.create(RUN, [runCreated()], []);
    const writer = await mustAcquire(store);
    await writer.storeContent(PATH, bytes("left by a writer that died"));
    const before = slow.files.effects;
    slow.files.plan({ kind: "freeze", at: before + at });
    const ending = endOf(writer.storeContent(PATH, bytes("of the late owner")));
    await Promise.race([slow.files.whenFrozen(), ending]);
    const isOver = slow.files.fired === 0;
    await world.clock.advance(LEASE_S * 1000 + 1);
    const rival = storeOf(world.spawn("rival"));
    const theirs = await mustAcquire(rival);
    const ref = await theirs.storeContent(PATH, bytes("of its successor"));
    const named = sourceNamed("of its successor").draft;
    if (named.kind === "source.stored") named.data.files = [ref];
    await theirs.commit([named]);
    slow.thaw();
    await ending;
    const found: string[] = [];
    try {
      const there = text(await rival.readContent(RUN, ref));
      if (there !== "of its successor") found.push(there);
    } catch (error) {
      found.push(String(error));
    }
    await theirs.release();
    return { found, isOver };
  }

  async function sweepStores(row: SweepRow | null, guard: Guard = intact): Promise<Sweep> {
    const sweep = new Sweep(row);
    for (let at = 1, isOver = false; !isOver; at++) {
      const end = await storeLate(at, guard);
      ({ isOver } = end);
      sweep.note(`frozen at ${at}`, end.found);
    }
    return sweep;
  }

  test("what its successor stored and named stays, wherever it was frozen", async () => {
    expect((await sweepStores("content stored late")).end()).toEqual([]);
  });

  test("control: when it cannot tell files apart and sees no claims, it moves its successor's file away", async () => {
    const blind: Guard = (files) =>
      changed(files, {
        facts: async (path) => {
          const facts = await files.facts(path);
          return facts === null ? null : { ...facts, identity: path.includes("journal") ? facts.identity : "any" };
        },
      });
    expect((await sweepStores(null, blind)).found.join("\n")).toMatch(/MISSING_ARTIFACT|INTEGRITY_ERROR/);
  });
});

// --- many at once ---------------------------------------------------------------------------------------------------

/** Lets others run between any two calls, so that processes side by side meet in every order. */
function unhurried(files: Files, seed: number): Files {
  const random = new SimulatedRandom(seed);
  const pause = async (): Promise<void> => {
    for (let turns = random.below(3); turns > 0; turns--) await eventLoopTurn();
  };
  return {
    open: async (path, mode) => (await pause(), await files.open(path, mode)),
    facts: async (path) => (await pause(), await files.facts(path)),
    list: async (folder) => (await pause(), await files.list(folder)),
    listFolders: async (folder) => (await pause(), await files.listFolders(folder)),
    makeFolder: async (path) => (await pause(), await files.makeFolder(path)),
    link: async (from, to) => (await pause(), await files.link(from, to)),
    rename: async (from, to) => (await pause(), await files.rename(from, to)),
    remove: async (path) => (await pause(), await files.remove(path)),
    removeFolder: async (path) => (await pause(), await files.removeFolder(path)),
    syncFolder: async (path) => (await pause(), await files.syncFolder(path)),
  };
}

describe("many at once", () => {
  /** Eight processes find the lease of one that died; the winner dies in its turn. */
  async function rounds(count: number, guard: Guard, seed = 0): Promise<number[]> {
    const world = makeWorld();
    world.disk.plantFolder("/work");
    const owners: number[] = [];
    let last: Actor | undefined;
    for (let round = 1; round <= count; round++) {
      last?.kill();
      const claimants = Array.from({ length: 8 }, (_, n) => world.spawn(`claimant ${round}.${n}`));
      const leases = await Promise.all(
        claimants.map(async (actor, n): Promise<[Actor, HeldLease][]> => {
          const files = guard(unhurried(actor.files, seed + round * 100 + n));
          const outcome = await leaseFiles({ ...actor, files }).claim("/work", { lease_seconds: LEASE_S });
          return outcome.kind === "claimed" ? [[actor, outcome.lease]] : [];
        }),
      );
      owners.push(leases.flat().length);
      last = leases.flat()[0]?.[0];
      for (const actor of claimants) if (actor !== last) actor.kill();
    }
    return owners;
  }

  test("8 processes on one stale lock, 100 rounds: one owner each", async () => {
    const sweep = new Sweep("rivals on one stale lock, 8 at once");
    for (const [round, owners] of (await rounds(100, intact, sweep.chance.next())).entries())
      sweep.note(`round ${round + 1}`, owners === 1 ? [] : [`${owners} owners`]);
    expect(sweep.end()).toEqual([]);
  });

  test("control: with a link that is not exclusive there are two owners", async () => {
    const notExclusive: Guard = (files) =>
      changed(files, {
        link: async (from, to) => {
          try {
            await files.link(from, to);
          } catch {
            await files.rename(from, to);
            await files.link(to, from);
          }
        },
      });
    expect(Math.max(...(await rounds(20, notExclusive)))).toBeGreaterThan(1);
  });

  test("20 at once on one run: one works, 19 find it held, and nothing is lost (L2)", async () => {
    const sweep = new Sweep("rivals on one run, 20 at once");
    for (const _ of sweep.drawn(numbersTo(50), 8)) {
      const seed = sweep.chance.next();
      const world = makeWorld();
      const told = new Acknowledged();
      await workload(storeOf(world.spawn("first")), told);
      const ends = await Promise.all(
        Array.from({ length: 20 }, (_, n) => {
          const store = storeOf(world.spawn(`process ${n}`), (files) => unhurried(files, seed + n));
          return endOf(mustAcquire(store).then(async (writer) => told.note(await writer.commit([noted(`by ${n}`)]))));
        }),
      );
      const wrong = ends.filter((end) => end !== "done" && end !== "LOCK_HELD");
      if (ends.filter((end) => end === "done").length !== 1) wrong.push(ends.join(" "));
      sweep.note(`seed ${seed}`, [...wrong, ...(await violations(world, told))]);
    }
    expect(sweep.end()).toEqual([]);
  });
});

// --- clocks that lie ------------------------------------------------------------------------------------------------

describe("clocks that lie (L4)", () => {
  const YEARS_20_MS = 20 * 365.25 * 86_400_000;
  /** The last two are years of five digits, and before the first one. */
  const LIES = [YEARS_20_MS, -YEARS_20_MS, 3_000_000, -3_000_000, MAX_LEASE_S * 1000 + 60_000].concat(
    500 * YEARS_20_MS,
    -500 * YEARS_20_MS,
  );

  async function owned(world: SimulatedWorld): Promise<RunWriter> {
    const store = storeOf(world.spawn("owner"));
    await store.create(RUN, [runCreated()], []);
    return await mustAcquire(store);
  }

  test("a jump while the owner lives neither frees its lease nor keeps it", async () => {
    for (const lie of LIES) {
      const world = makeWorld();
      const writer = await owned(world);
      world.clock.setNow(world.clock.nowMs() + lie);
      const other = storeOf(world.spawn("other"));
      expect((await other.acquire(RUN)).kind).toBe("held");
      expect(await writer.refresh()).toEqual({ kind: "refreshed", reclaimed: false });
      world.clock.setNow(world.clock.nowMs() - 2 * lie);
      expect((await other.acquire(RUN)).kind).toBe("held");
      await world.clock.advance(LEASE_S * 1000);
      expect((await other.acquire(RUN)).kind).toBe("acquired");
    }
  });

  /** For how long a newcomer finds the lease held, looking once a minute for three times the longest lease. */
  async function heldMs(world: SimulatedWorld): Promise<number> {
    const store = storeOf(world.spawn("looker"));
    let total = 0;
    for (let minutes = 0; minutes < (3 * MAX_LEASE_S) / 60; minutes++) {
      if ((await store.look(RUN)).lease.held !== null) total += 60_000;
      await world.clock.advance(60_000);
    }
    return total;
  }

  test("a lease of another boot locks nobody out for longer than the longest lease, whatever its clock said", async () => {
    for (const lie of LIES) {
      const world = makeWorld();
      world.clock.setNow(world.clock.nowMs() + lie);
      await owned(world);
      world.reboot();
      world.clock.setNow(world.clock.nowMs() - lie);
      expect(await heldMs(world)).toBeLessThanOrEqual((MAX_LEASE_S + LEASE_S) * 1000);
      const writer = await mustAcquire(storeOf(world.spawn("next")));
      expect(writer.epoch).toBe(2);
      expect((await storeOf(world.spawn("other")).acquire(RUN)).kind).toBe("held");
    }
  });

  test("nor does one of another host that shares the folder", async () => {
    for (const lie of LIES) {
      const world = makeWorld();
      await owned(world);
      const far = new SimulatedWorld({
        autoAdvance: true,
        hostname: "host-2",
        bootId: "boot-2",
        nowMs: world.clock.nowMs() - lie,
      });
      far.disk = world.disk;
      expect(await heldMs(far)).toBeLessThanOrEqual((MAX_LEASE_S + LEASE_S) * 1000);
      expect((await storeOf(far.spawn("next")).acquire(RUN)).kind).toBe("acquired");
    }
  });

  test("a pid that another process has by now is a dead owner", async () => {
    const world = makeWorld();
    const first = world.spawn("owner");
    await storeOf(first).create(RUN, [runCreated()], []);
    await mustAcquire(storeOf(first));
    first.kill();
    world.spawn("stranger", first.pid);
    expect(await takeoverOf(await mustAcquire(storeOf(world.spawn("next"))))).toBe("owner_dead");
  });

  test("of a process that may not be looked at nothing is said: its lease has to expire", async () => {
    const world = makeWorld();
    const first = world.spawn("owner");
    await storeOf(first).create(RUN, [runCreated()], []);
    await mustAcquire(storeOf(first));
    first.kill();
    world.table.hide(first.pid);
    const next = storeOf(world.spawn("next"));
    expect((await next.acquire(RUN)).kind).toBe("held");
    await world.clock.advance(LEASE_S * 1000);
    expect(await takeoverOf(await mustAcquire(next))).toBe("expired");
  });

  test("`.lock` that a person removed takes the lease away, and the epoch still rises", async () => {
    const world = makeWorld();
    const writer = await owned(world);
    world.disk.erase(`${RUN}/.lock`);
    expect(await writer.refresh()).toMatchObject({ kind: "lost", code: "LOCK_NOT_HELD", superseded: false });
    const next = await mustAcquire(storeOf(world.spawn("next")));
    expect([next.epoch, await takeoverOf(next)]).toEqual([2, "taken_away"]);
    expect(await endOf(writer.commit([noted("late")]))).toBe("LOCK_LOST");
  });

  test("claims that a person removed too do not bring an old epoch back", async () => {
    const world = makeWorld();
    const writer = await owned(world);
    await writer.release();
    for (const path of world.disk.paths()) if (path.includes("/.lock")) world.disk.erase(path);
    expect((await mustAcquire(storeOf(world.spawn("next")))).epoch).toBe(2);
  });
});

test("an owner that finds another's death while it claims again leaves it to be told", async () => {
  const world = makeWorld();
  const slow = world.spawn("slow");
  let listings = -Infinity;
  const list: Files["list"] = async (path) => {
    // The first listing looks for a loss and finds none; the second begins the claim.
    if (++listings === 2) {
      const other = world.spawn("other");
      await (await mustAcquire(storeOf(other))).commit([noted("work")]);
      other.kill();
    }
    return await slow.files.list(path);
  };
  const store = storeOf(slow, (files) => changed(files, { list }));
  await store.create(RUN, [runCreated()], []);
  const writer = await mustAcquire(store);
  await world.clock.advance(LEASE_S * 1000 + 1);
  listings = 0;
  expect(await writer.refresh()).toMatchObject({ kind: "lost", superseded: true });
  expect(await takeoverOf(await mustAcquire(storeOf(world.spawn("next"))))).toBe("owner_dead");
});

test("an expired lease that is claimed again has its record before the commits that waited in line", async () => {
  const world = makeWorld();
  const slow = world.spawn("slow");
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = false;
  const open: Files["open"] = async (path, mode) => {
    const handle = await slow.files.open(path, mode);
    if (!path.endsWith("/journal.jsonl")) return handle;
    return changed(handle, {
      write: async (written) => {
        if (isSlow) {
          isSlow = false;
          reached.resolve();
          await released.promise;
        }
        return await handle.write(written);
      },
    });
  };
  const store = storeOf(slow, (files) => changed(files, { open }));
  await store.create(RUN, [runCreated()], []);
  const writer = await mustAcquire(store);
  isSlow = true;
  const commits = [writer.commit([noted("in flight")])];
  await reached.promise;
  commits.push(writer.commit([noted("in line")]));
  await world.clock.advance(LEASE_S * 1000 + 1);
  const refreshed = writer.refresh();
  for (let turn = 0; turn < 50; turn++) await eventLoopTurn();
  released.resolve();
  await Promise.all(commits);
  expect(await refreshed).toEqual({ kind: "refreshed", reclaimed: true });
  const records = (await store.records(RUN)).slice(-3).map(({ epoch, kind }) => [epoch, kind]);
  expect(records.map(([epoch]) => epoch)).toEqual([1, 2, 2]);
  expect(records[1]?.[1]).toBe("lease.taken");
});
