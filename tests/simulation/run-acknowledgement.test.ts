// A state that a rival wrote is on disk before another process answers with it.
import { describe, expect, test } from "bun:test";
import { initRun } from "../../src/operations/make/init-run.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { tickAll } from "../../src/operations/change/tick-all.ts";
import { watchRun } from "../../src/operations/change/watchdog.ts";
import type { RunFolders } from "../../src/ports/run-folders.ts";
import { planned, runCreated, stateChanged, tickStarted } from "../conformance/sample-run.ts";
import { holdStep, look, startIn } from "../orchestrator/at-work.ts";
import { dropUnsynced } from "./disk.ts";
import { RUN_ROOT, RUNS_ROOT, RunWorld, startOptions } from "./run-world.ts";
import { changed } from "./changed.ts";
import { LEASE_S, mustAcquire, RUN, storeOf, type Guard } from "./store-workload.ts";
import { SimulatedWorld } from "./world.ts";

/** The guard taken out: others' records are answered for without making sure of them. */
const unsure = (folders: RunFolders): RunFolders => ({ ...folders, makeDurable: async () => undefined });
const kept = (folders: RunFolders): RunFolders => folders;

describe("`pause` while the fsync of the owner is under way", () => {
  /** The state after a power cut right behind the answer. */
  async function stateAfterAnswer(wrapFolders: (folders: RunFolders) => RunFolders): Promise<string> {
    const world = new RunWorld();
    const written = Promise.withResolvers<void>();
    const never = new Promise<void>(() => undefined);
    const owner = world.process("owner", {
      wrapFiles: (files) =>
        changed(files, {
          open: async (path, mode) => {
            const handle = await files.open(path, mode);
            if (!path.endsWith("journal.jsonl") || mode !== "append") return handle;
            let last = "";
            return changed(handle, {
              write: (bytes) => {
                last = new TextDecoder().decode(bytes);
                return handle.write(bytes);
              },
              sync: async () => {
                if (!last.includes('"to":"paused"')) return await handle.sync();
                written.resolve();
                return await never;
              },
            });
          },
        }),
    });
    const step = holdStep(world, "wave1:overview", false);
    void startIn(owner).catch(() => undefined);
    await step.reached;
    const pauser = world.process("pauser", { wrapFolders });
    const answer = pauseRun(pauser.ports, RUN_ROOT, { waitSeconds: 600 });
    while ((await look(world)).requests.length === 0) await Bun.sleep(1);
    step.release();
    await written.promise;
    expect((await answer).error).toBeNull();
    world.world.powerCut(dropUnsynced);
    await world.world.clock.advance(4_000_000);
    return (await look(world)).manifest.execution_state;
  }

  test("the run is paused, also after a power cut", async () => {
    expect(await stateAfterAnswer(kept)).toBe("paused");
  });

  test("control: answered without making sure, it is not", async () => {
    expect(await stateAfterAnswer(unsure)).toBe("running");
  });
});

describe("`init` again after one that was killed", () => {
  /** The effects after which a killed `init`, another that answered, and a power cut left no run. */
  async function lostAfter(wrapFolders: (folders: RunFolders) => RunFolders): Promise<number[]> {
    const lost: number[] = [];
    for (let at = 1; ; at++) {
      const world = new RunWorld();
      const first = world.process("first");
      first.actor.files.plan({ kind: "crash-after", at });
      if ((await endedWell(() => initRun(first.ports, startOptions(), {}))) !== false) return lost;
      const later = world.cloneKilled();
      const second = later.process("second", { wrapFolders });
      if ((await endedWell(() => initRun(second.ports, startOptions(), {}))) === false) continue;
      later.world.powerCut(dropUnsynced);
      if ((await endedWell(() => look(later))) === false) lost.push(at);
    }
  }

  test("the run that was acknowledged is there after a power cut", async () => {
    expect(await lostAfter(kept)).toEqual([]);
  });

  test("control: answered without making sure, it can be gone", async () => {
    expect(await lostAfter(unsure)).not.toEqual([]);
  });
});

describe("commits of an owner that found the journal as a killed process left it", () => {
  const withoutFolderSync: Guard = (files) =>
    changed(files, { syncFolder: (path) => (path === RUN ? undefined : files.syncFolder(path)) });

  /** After a killed `create`, and after a killed repair: a commit, a power cut, and whether the record is there. */
  async function lostCommits(guard: Guard): Promise<string[]> {
    const lost: string[] = [];
    const tryOn = async (world: SimulatedWorld, name: string): Promise<void> => {
      const store = storeOf(world.spawn("next"), guard);
      const writer = await endedWell(() => mustAcquire(store));
      if (writer === false) return;
      const [record] = await writer.commit([planned("init", "init.small")]);
      world.powerCut(dropUnsynced);
      await world.clock.advance(LEASE_S * 2000);
      const records = await endedWell(() => storeOf(world.spawn("last")).records(RUN));
      if (records === false || !records.some(({ digest }) => digest === record?.digest)) lost.push(name);
    };
    for (let at = 1; ; at++) {
      const world = new SimulatedWorld({ autoAdvance: true });
      world.disk.plantFolder("/runs");
      const first = world.spawn("first");
      first.files.plan({ kind: "crash-after", at });
      if ((await endedWell(() => storeOf(first).create(RUN, [runCreated()], []))) !== false) break;
      await tryOn(world.cloneKilled(), `create killed after effect ${at}`);
    }
    const damaged = await damagedRun();
    for (let at = 1; ; at++) {
      const world = damaged.cloneKilled();
      const first = world.spawn("first");
      first.files.plan({ kind: "crash-after", at });
      const repair = storeOf(first).acquireForRepair(RUN);
      if ((await endedWell(() => repair)) !== false) return lost;
      await tryOn(world.cloneKilled(), `repair killed after effect ${at}`);
    }
  }

  async function damagedRun(): Promise<SimulatedWorld> {
    const world = new SimulatedWorld({ autoAdvance: true });
    world.disk.plantFolder("/runs");
    const store = storeOf(world.spawn("owner"));
    await store.create(RUN, [runCreated()], []);
    const writer = await mustAcquire(store);
    await writer.commit([stateChanged("idle", "running"), tickStarted(1)]);
    await writer.release();
    const journal = world.disk.read(`${RUN}/journal.jsonl`) ?? new Uint8Array();
    world.disk.plantFile(`${RUN}/journal.jsonl`, Buffer.concat([journal, Buffer.from("garbage\n")]));
    return world;
  }

  test("survive a power cut", async () => {
    expect(await lostCommits((files) => files)).toEqual([]);
  });

  test("control: without the sync of the run root they can be gone", async () => {
    expect(await lostCommits(withoutFolderSync)).not.toEqual([]);
  });
});

test("a late run whose end is cut off half-way has failed all the same, and nothing waits for it", async () => {
  const world = new RunWorld();
  const owner = world.process("owner");
  const step = holdStep(world, "wave1:overview", false);
  void startIn(owner, { stageTimeoutSeconds: 60 }).catch(() => undefined);
  await step.reached;
  owner.actor.freeze();
  await world.world.clock.advance(100_000);
  const dog = world.process("dog", {
    wrapFiles: (files) =>
      changed(files, {
        open: async (path, mode) => {
          const handle = await files.open(path, mode);
          if (mode !== "append") return handle;
          return changed(handle, {
            write: async (bytes) => {
              const text = new TextDecoder().decode(bytes);
              if (!text.includes("halt.raised")) return await handle.write(bytes);
              return await handle.write(bytes.subarray(0, Buffer.byteLength(text.slice(0, text.indexOf("\n \n") + 3))));
            },
          });
        },
      }),
  });
  expect(await endedWell(() => watchRun(dog.ports, RUN_ROOT, { strict: false }))).toBe(false);
  await world.world.clock.advance(500_000);
  const { manifest } = await look(world);
  expect(manifest.execution_state).toBe("failed");
  expect(manifest.failures.map(({ kind }) => kind)).toEqual(["timeout"]);
  const sweep = await tickAll(world.process("cron").ports, RUNS_ROOT, { jobs: 1 }, {});
  expect(sweep.result.runs).toEqual([]);
});

async function endedWell<T>(work: () => Promise<T>): Promise<T | false> {
  try {
    return await work();
  } catch {
    return false;
  }
}
