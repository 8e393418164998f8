// S5, S7: what one process says of another's records is on the disk, whether it follows the journal or answers for them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { runCreated, stateChanged, tickStarted } from "../conformance/sample-run.ts";
import { text } from "./calls.ts";
import { changed } from "./changed.ts";
import { anyMixture, dropUnsynced } from "./disk.ts";
import { numbersTo, Sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";
import type { SweepRow } from "./sweep-rows.ts";
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
import { SimulatedWorld, type Actor } from "./world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const makeWorld = (): SimulatedWorld => new SimulatedWorld({ autoAdvance: true });

/** The guard taken out: an fsync that a watcher asks for does nothing. */
const withoutSync: Guard = (files) =>
  changed(files, { open: async (path, mode) => changed(await files.open(path, mode), { sync: () => undefined }) });

/** The guard taken out: no lease says that an fsync of the journal failed. */
const withoutNote: Guard = (files) =>
  changed(files, {
    open: async (path, mode) => {
      const handle = await files.open(path, mode);
      const isNote = (bytes: Uint8Array): boolean => text(bytes).includes("bad_sync");
      return changed(handle, {
        writeAt: (bytes, position) => (isNote(bytes) ? bytes.byteLength : handle.writeAt(bytes, position)),
      });
    },
  });

/** What a process that follows the journal is told, noted as acknowledged. */
async function follow(watcher: Actor, guard: Guard, told: Acknowledged): Promise<string> {
  return await endOf(
    (async () => {
      told.note(await storeOf(watcher, guard).follow(RUN, 0).next());
    })(),
  );
}

/** An owner that ends at an effect of its work, a watcher, and a power cut: what the watcher was told is there. */
async function sweepWatched(row: SweepRow | null, count: number, guard: Guard): Promise<Sweep> {
  const sweep = new Sweep(row);
  const { effects } = await rehearse(makeWorld);
  for (const at of sweep.drawn(numbersTo(effects), count)) {
    for (const fault of [{ kind: "crash-after", at } as const, { kind: "fail", at, errno: "EIO" } as const]) {
      const crashed = makeWorld();
      const owner = crashed.spawn("owner");
      owner.files.plan(fault);
      await endOf(workload(storeOf(owner), new Acknowledged()));
      for (const isKilled of [true, false]) {
        const world = isKilled ? crashed.cloneKilled() : crashed;
        const told = new Acknowledged();
        const end = await follow(world.spawn("watcher"), guard, told);
        const dark = world.cloneKilled();
        dark.powerCut(at % 2 === 0 ? dropUnsynced : anyMixture(at));
        const isTyped = end === "done" || end === "NOT_FOUND";
        sweep.note(`${fault.kind} at ${at}`, [...(isTyped ? [] : [end]), ...(await violations(dark, told))]);
        if (guard !== intact && sweep.found.length > 0) return sweep;
      }
    }
  }
  return sweep;
}

test("a watcher is told nothing that a power cut takes back, wherever the owner ended (S5)", async () => {
  const sweep = await sweepWatched("watched while the owner is killed or its disk fails", 60, intact);
  expect(sweep.end()).toEqual([]);
});

test("control: told without making sure, records are gone", async () => {
  expect((await sweepWatched(null, 300, withoutSync)).found.join("\n")).toContain("is gone");
});

/** A run whose owner died behind the write of a record, and before its fsync. */
async function unsyncedRun(): Promise<SimulatedWorld> {
  const world = makeWorld();
  world.disk.plantFolder("/runs");
  const owner = world.spawn("owner");
  const store = storeOf(owner);
  await store.create(RUN, [runCreated()], []);
  const writer = await mustAcquire(store);
  await writer.commit([stateChanged("idle", "running"), tickStarted(1)]);
  owner.files.plan({ kind: "crash-after", at: owner.files.effects + 1 });
  expect(await endOf(writer.commit([stateChanged("running", "paused")]))).toBe("crashed");
  return world;
}

/** Which effect of `makeDurable` is the fsync of the journal. */
async function numberOfSync(world: SimulatedWorld): Promise<number> {
  const rehearsal = world.cloneKilled();
  await storeOf(rehearsal.spawn("rehearsal")).makeDurable(RUN);
  const sync = rehearsal.disk.trace.find(({ process, effect }) => process === "rehearsal" && effect === "sync");
  return sync?.number ?? 0;
}

/** Settles twice, and the first fsync of the journal fails; then the power goes. */
async function makeDurableTwice(guard: Guard): Promise<{ ends: string[]; isPaused: boolean }> {
  const world = await unsyncedRun();
  const first = world.spawn("first");
  first.files.plan({ kind: "fail", at: await numberOfSync(world), errno: "EIO" });
  const ends = [await endOf(storeOf(first, guard).makeDurable(RUN))];
  ends.push(await endOf(storeOf(world.spawn("second"), guard).makeDurable(RUN)));
  world.powerCut(dropUnsynced);
  await world.clock.advance(LEASE_S * 1000);
  const { manifest } = await storeOf(world.spawn("last")).look(RUN);
  return { ends, isPaused: manifest.execution_state === "paused" };
}

test("a failed fsync is final for `makeDurable`, too: the next call makes the journal anew before it answers (S7)", async () => {
  expect(await makeDurableTwice(intact)).toEqual({ ends: ["WRITE_FAILED", "done"], isPaused: true });
});

test("control: without the note in the lease the second one answers for lost bytes", async () => {
  expect(await makeDurableTwice(withoutNote)).toEqual({ ends: ["WRITE_FAILED", "done"], isPaused: false });
});

test("it ends the work of an owner that still lives: the journal is the same", async () => {
  const world = makeWorld();
  world.disk.plantFolder("/runs");
  const owner = storeOf(world.spawn("owner"));
  await owner.create(RUN, [runCreated()], []);
  const writer = await mustAcquire(owner);
  const watcher = world.spawn("watcher");
  watcher.files.plan({ kind: "fail", at: 1, errno: "EIO", forever: true, on: ["sync"] });
  expect(await endOf(storeOf(watcher).makeDurable(RUN))).toBe("WRITE_FAILED");
  expect(await writer.isSuperseded()).toBe(false);
  const other = world.spawn("other");
  const sync = await numberOfSync(world);
  other.files.plan({ kind: "fail", at: sync, errno: "EIO" });
  expect(await endOf(storeOf(other).makeDurable(RUN))).toBe("WRITE_FAILED");
  expect(await writer.isSuperseded()).toBe(true);
  expect(await endOf(recover(storeOf(world.spawn("next")), new Acknowledged()))).toBe("done");
});
