// Removing a run: whole or not at all, whoever dies when; never a held one, never what a link leads to.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { RunError } from "../../src/kernel/errors.ts";
import type { Files } from "../../src/ports/files.ts";
import type { Removal } from "../../src/ports/runs.ts";
import type { RunWriter } from "../../src/ports/run-log.ts";
import type { FileStore } from "../../src/stores/file-store.ts";
import { codeOf, mustAcquire } from "../conformance/run-log.ts";
import { noted, runCreated, sourceNamed, stateChanged } from "../conformance/sample-run.ts";
import { changed } from "../simulation/changed.ts";
import { endOf, storeOf, type Guard } from "../simulation/store-workload.ts";
import { SimulatedWorld } from "../simulation/world.ts";

const RUNS = "/runs";
const RUN = `${RUNS}/dr_sample`;

/** A run with a source, worked on once and left alone. */
async function worldWithRun(): Promise<SimulatedWorld> {
  const world = new SimulatedWorld({ autoAdvance: true });
  const store = storeOf(world.spawn("maker"));
  const { draft, path, bytes } = sourceNamed("A source.");
  await store.create(RUN, [runCreated(), draft], [{ path, bytes }]);
  const writer = await mustAcquire(store, RUN);
  await writer.commit([stateChanged("idle", "running")]);
  await writer.release();
  return world;
}

/** How a run stands to whoever looks: whole, gone, or something in between. */
async function standing(world: SimulatedWorld): Promise<string> {
  const store = storeOf(world.spawn("looker"));
  const code = await codeOf(store.look(RUN));
  if (code === "NOT_FOUND") return (await store.names(RUNS))?.length === 0 ? "gone" : "a name is left";
  if (code !== "no error") return code;
  const { problems } = await store.inspect(RUN);
  return problems.length === 0 ? "whole" : JSON.stringify(problems);
}

async function effectsOfRemoval(guard?: Guard): Promise<number> {
  const world = await worldWithRun();
  const actor = world.spawn("remover");
  expect(await storeOf(actor, guard).remove(RUN)).toMatchObject({ kind: "removed" });
  return actor.files.effects;
}

/** How the run stands after a removal that is killed at each of its effects in turn, and what the next one makes of it. */
async function standingsWhenKilled(guard?: Guard): Promise<string[]> {
  const effects = await effectsOfRemoval(guard);
  const seen = new Set<string>();
  for (let at = 1; at <= effects; at++) {
    for (const kind of ["crash-before", "crash-after"] as const) {
      const world = await worldWithRun();
      const actor = world.spawn("remover");
      actor.files.plan({ kind, at });
      expect(["crashed", "done"]).toContain(await endOf(storeOf(actor, guard).remove(RUN)));
      const found = await standing(world);
      const next = storeOf(world.spawn("next"));
      await next.sweepRemoved(RUNS);
      const isEnded = found === "gone" || (await endOf(next.remove(RUN))) === "done";
      const isRest = world.disk.process("raw").list(RUNS);
      seen.add(isEnded && (await isRest).length === 0 ? found : `${found}, never ended`);
    }
  }
  return [...seen].sort();
}

/** The guard taken out: the run is emptied where it stands, and moved aside when nothing is left in it. */
const inPlace: Guard = (files) =>
  changed(files, {
    async rename(from, to) {
      if (from === RUN) await empty(files, RUN);
      await files.rename(from, to);
    },
  });

async function empty(files: Files, folder: string): Promise<void> {
  const folders = new Set(await files.listFolders(folder));
  for (const name of await files.list(folder)) {
    if (!folders.has(name)) await files.remove(`${folder}/${name}`);
    else {
      await empty(files, `${folder}/${name}`);
      await files.removeFolder(`${folder}/${name}`);
    }
  }
}

describe("a removal", () => {
  test("leaves nothing, and says what it freed", async () => {
    const world = await worldWithRun();
    const store = storeOf(world.spawn("remover"));
    const bytes = await store.bytesOf(RUN);
    const removal = await store.remove(RUN);
    // The claim that the removal makes is counted, too.
    expect(removal.kind === "removed" && removal.bytes_freed).toBeGreaterThanOrEqual(bytes);
    expect(await storeOf(world.spawn("looker")).names(RUNS)).toEqual([]);
    expect(world.disk.process("raw").list(RUNS)).toEqual([]);
  });

  test("killed at any effect leaves the run whole or gone, and the next sweep ends it", async () => {
    expect(await standingsWhenKilled()).toEqual(["gone", "whole"]);
  });

  test("control: a run that is emptied where it stands is seen in between", async () => {
    expect((await standingsWhenKilled(inPlace)).length).toBeGreaterThan(2);
  });

  test("never takes a run that somebody holds", async () => {
    const world = await worldWithRun();
    const writer = await mustAcquire(storeOf(world.spawn("owner")), RUN);
    expect(await storeOf(world.spawn("remover")).remove(RUN)).toMatchObject({ kind: "held", by: { epoch: 2 } });
    await writer.commit([noted("goes on")]);
    await writer.release();
    expect(await standing(world)).toBe("whole");
  });

  test("with a revision takes only the run that was looked at", async () => {
    const world = await worldWithRun();
    const store = storeOf(world.spawn("remover"));
    const { revision } = (await store.look(RUN)).manifest;
    const writer = await mustAcquire(store, RUN);
    await writer.release();
    expect(await codeOf(store.remove(RUN, { expectedRevision: revision }))).toBe("REVISION_MISMATCH");
    expect(await standing(world)).toBe("whole");
    expect(await store.remove(RUN, { expectedRevision: revision + 1 })).toMatchObject({ kind: "removed" });
  });

  test.each(["ENOSPC", "EDQUOT"])(
    "makes room where %s lets no claim be made; a run that is held stays",
    async (errno) => {
      const full = (world: SimulatedWorld, guard?: Guard): FileStore => {
        const actor = world.spawn("remover");
        actor.files.plan({ kind: "fail", at: 1, errno, forever: true, on: ["write", "writeAt"] });
        return storeOf(actor, guard);
      };
      const free = await worldWithRun();
      expect(await codeOf(full(free).remove(RUN, { expectedRevision: 1 }))).toBe("REVISION_MISMATCH");
      expect(await full(free).remove(RUN)).toMatchObject({ kind: "removed" });
      expect(free.disk.process("raw").list(RUNS)).toEqual([]);

      const held = await worldWithRun();
      const owner = await mustAcquire(storeOf(held.spawn("owner")), RUN);
      expect(await full(held).remove(RUN)).toMatchObject({ kind: "held", by: { owner_id: owner.ownerId } });
      await owner.release();

      let rival: RunWriter | null = null;
      const removal = await full(held, (files) =>
        changed(files, {
          async rename(from, to) {
            rival ??= await mustAcquire(storeOf(held.spawn("rival")), RUN);
            await files.rename(from, to);
          },
        }),
      ).remove(RUN);
      expect(removal).toMatchObject({ kind: "held", by: { epoch: 3 } });
      await (rival as RunWriter | null)?.commit([noted("goes on")]);
      expect(await standing(held)).toBe("whole");
    },
  );

  test("of two at once is done by one, and the other is told so, wherever the first was in it", async () => {
    const effects = await effectsOfRemoval();
    const seen = new Set<string>();
    const endIn = async (removal: Promise<Removal>): Promise<string> =>
      await removal.then(
        ({ kind }) => kind,
        (error: RunError) => error.code,
      );
    for (let at = 1; at <= effects; at++) {
      const world = await worldWithRun();
      const slow = world.spawn("slow");
      slow.files.plan({ kind: "freeze", at });
      const ending = endIn(storeOf(slow).remove(RUN));
      await slow.files.whenFrozen();
      const quick = await endIn(storeOf(world.spawn("quick")).remove(RUN));
      slow.files.thaw();
      seen.add(`${await ending}, ${quick}`);
    }
    expect([...seen].sort()).toEqual(["NOT_FOUND, removed", "removed, NOT_FOUND", "removed, held"]);
  });

  test("takes a damaged run, and nothing that is no run", async () => {
    const world = await worldWithRun();
    world.disk.plantFile(`${RUN}/journal.jsonl`, "garbage\n");
    const store = storeOf(world.spawn("remover"));
    expect(await codeOf(store.look(RUN))).toBe("INTEGRITY_ERROR");
    expect(await store.remove(RUN)).toMatchObject({ kind: "removed" });
    world.disk.plantFile("/runs/notes/todo.txt", "mine");
    expect(await codeOf(store.remove("/runs/notes"))).toBe("NOT_FOUND");
    expect(world.disk.text("/runs/notes/todo.txt")).toBe("mine");
  });

  test("a sweep takes nothing but what a removal left", async () => {
    const world = await worldWithRun();
    for (const name of [".removed-dr_x", ".removed-dr_x-own_short", "removed-dr_x-own_abcdefghjkmn", ".other"])
      world.disk.plantFile(`/runs/${name}/file`, "mine");
    world.disk.plantFile("/runs/.removed-dr_x-own_abcdefghjkmn/sources/deep/file", "left");
    const before = world.disk.process("raw");
    expect(await storeOf(world.spawn("sweeper")).sweepRemoved(RUNS)).toBe(4);
    expect(before.list(RUNS)).toEqual(
      [".other", ".removed-dr_x", ".removed-dr_x-own_short", "dr_sample", "removed-dr_x-own_abcdefghjkmn"].sort(),
    );
  });
});

describe("half-written files of owners that ended", () => {
  const leftover = async (name: string): Promise<SimulatedWorld> => {
    const world = await worldWithRun();
    world.disk.plantFile(`${RUN}/${name}`, "half");
    return world;
  };
  const leftAfter = async (name: string): Promise<boolean> => {
    const world = await leftover(name);
    await (await mustAcquire(storeOf(world.spawn("next")), RUN)).release();
    return world.disk.read(`${RUN}/${name}`) !== null;
  };

  test("are taken away by the next owner; those of others stay", async () => {
    for (const name of [".tmp-1-1", ".tmp-1-27", ".tmp-1-journal"])
      expect([name, await leftAfter(name)]).toEqual([name, false]);
    for (const name of [
      ".tmp-2-1",
      ".tmp-9-1",
      ".tmp-0-1",
      ".tmp-1-1.txt",
      ".tmp-1-notes",
      ".tmp-request-own_abcdefghjkmn",
      ".tmp-claim-own_abcdefghjkmn",
      ".tmp-create-0123456789ab-content",
    ])
      expect([name, await leftAfter(name)]).toEqual([name, true]);
  });

  test("stay while their owner may only sleep, and a late write then ends with the lost lease", async () => {
    const world = await leftover(".tmp-1-1");
    const late = await mustAcquire(storeOf(world.spawn("late")), RUN, { lease_seconds: 10 });
    world.disk.plantFile(`${RUN}/.tmp-2-9`, "half");
    await world.clock.advance(10_001);
    const successor = await mustAcquire(storeOf(world.spawn("successor")), RUN);
    expect(world.disk.read(`${RUN}/.tmp-2-9`)).not.toBe(null);
    // Until the successor has written what became of that owner, the next one cannot know it either.
    await successor.commit([stateChanged("running", "interrupted")]);
    await successor.release();
    await (await mustAcquire(storeOf(world.spawn("third")), RUN)).release();
    expect(world.disk.read(`${RUN}/.tmp-2-9`)).toBe(null);
    expect(await codeOf(late.commit([noted("late")]))).toBe("LOCK_LOST");
  });
});

/** Moves the run away before the call of this number, as a removal does. */
function vanishingAt(at: number): Guard {
  let calls = 0;
  return (files) => {
    const whileItIsThere = async <T>(call: () => T): Promise<Awaited<T>> => {
      if (++calls === at) await files.rename(RUN, `${RUNS}/.away`);
      return await call();
    };
    return changed(files, {
      open: (path, mode) => whileItIsThere(() => files.open(path, mode)),
      facts: (path) => whileItIsThere(() => files.facts(path)),
      list: (folder) => whileItIsThere(() => files.list(folder)),
    });
  };
}

describe("a reader", () => {
  const { path, bytes } = sourceNamed("A source.");
  const READS: Readonly<Record<string, (store: FileStore) => Promise<unknown>>> = {
    look: (store) => store.look(RUN, { wholeLog: "of all runs" }),
    inspect: (store) => store.inspect(RUN),
    records: (store) => store.records(RUN),
    readContent: (store) => store.readContent(RUN, { path, sha256: digestOfBytes(bytes) }),
  };
  test.each(Object.entries(READS))("finds no damage in a run that is removed meanwhile: %s", async (_, read) => {
    const seen = new Set<string>();
    for (let at = 1; at <= 40; at++) {
      const world = await worldWithRun();
      const reading = read(storeOf(world.spawn("reader"), vanishingAt(at)));
      const found = await reading.catch((error: RunError) => error.code);
      const { problems = [] } = Object(found) as { problems?: unknown[] };
      seen.add(typeof found === "string" ? found : problems.length === 0 ? "read" : "damage");
    }
    expect([...seen].sort()).toEqual(["NOT_FOUND", "read"]);
  });
});
