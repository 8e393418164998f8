// Every run log does the same: in files on a real disk, in files on the simulated disk, and in memory.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { RunLog } from "../../src/ports/run-log.ts";
import { fileStore, type FileStore } from "../../src/stores/file-store.ts";
import type { Runs } from "../../src/ports/runs.ts";
import { testOwners } from "./owners.ts";
import { testHandedOver } from "./handed-over.ts";
import { testRuns } from "./runs.ts";
import { memoryRuns } from "./memory-runs.ts";
import { claimantOf } from "./memory-lease.ts";
import { memoryLog, type Memory } from "./memory-log.ts";
import { realFiles } from "../../src/system/files.ts";
import { realRandom } from "../../src/system/random.ts";
import { SimulatedWorld, type Actor } from "../simulation/world.ts";
import { testAwayStore, type AwayWorld } from "./away-store.ts";
import { behindLink, Link, type LinkOptions } from "./link.ts";
import { testRunFolders, type FolderWorld } from "./run-folders.ts";
import { codeOf, mustAcquire, testRunLog, type LogWorld } from "./run-log.ts";
import { noted, runCreated } from "./sample-run.ts";

/** Processes of a simulated host over any log. */
function worldOf<Log extends RunLog, Rest extends Pick<LogWorld, "runsRoot" | "end">>(
  open: (actor: Actor) => Log,
  rest: Rest,
  world: SimulatedWorld,
): LogWorld<Log> & Rest {
  let spawned = 0;
  const spawn = (): Actor => world.spawn(`process ${++spawned}`);
  return {
    store: open(spawn()),
    otherProcess: () => open(spawn()),
    async dyingProcess(work) {
      const actor = spawn();
      await work(open(actor));
      actor.kill();
    },
    clock: world.clock,
    advance: (ms) => world.clock.advance(ms),
    setNow: (ms) => world.clock.setNow(ms),
    ...rest,
  };
}

async function realDisk(): Promise<FolderWorld> {
  const runsRoot = mkdtempSync(`${tmpdir()}/dr-conformance-`);
  const world = new SimulatedWorld({ autoAdvance: true });
  const open = ({ clock, processes }: Actor): FileStore =>
    fileStore({ files: realFiles, clock, random: realRandom, processes });
  return worldOf(
    open,
    {
      runsRoot,
      breakJournal: (runRoot: string) => appendFile(`${runRoot}/journal.jsonl`, "{}\n"),
      async halfMake(runRoot: string) {
        await mkdir(runRoot);
        await writeFile(`${runRoot}/journal.jsonl`, ' \n{"data":{}');
      },
      end: async () => rmSync(runsRoot, { recursive: true }),
    },
    world,
  );
}

async function simulatedDisk(): Promise<FolderWorld> {
  const world = new SimulatedWorld({ autoAdvance: true });
  return worldOf(
    fileStoreOf,
    {
      runsRoot: "/runs",
      async breakJournal(runRoot: string) {
        world.disk.plantFile(`${runRoot}/journal.jsonl`, `${world.disk.text(`${runRoot}/journal.jsonl`)}{}\n`);
      },
      async halfMake(runRoot: string) {
        world.disk.plantFile(`${runRoot}/journal.jsonl`, ' \n{"data":{}');
      },
    },
    world,
  );
}

for (const [name, makeWorld] of [
  ["files on a real disk", realDisk],
  ["files on the simulated disk", simulatedDisk],
] as const) {
  testRunLog(name, makeWorld);
  testOwners(name, makeWorld);
  testHandedOver(name, makeWorld);
  testRuns(name, makeWorld);
  testRunFolders(name, makeWorld);
}

testRunLog("the log in memory", inMemory);
testOwners("the log in memory", inMemory);
testHandedOver("the log in memory", inMemory);
testRuns("the log in memory", inMemory);

test("a store without processes describes no owner; files name the process", async () => {
  const described = async ({ store, runsRoot }: LogWorld): Promise<object | undefined> => {
    const runRoot = `${runsRoot}/dr_sample`;
    await store.create(runRoot, [runCreated()], []);
    const writer = await mustAcquire(store, runRoot);
    const { held } = (await store.look(runRoot)).lease;
    await writer.release();
    return held?.description;
  };
  expect(await described(await inMemory())).toBeUndefined();
  expect(await described(await simulatedDisk())).toMatchObject({ pid: 1001, hostname: "host-1" });
});

async function inMemory(): Promise<LogWorld<RunLog & Runs>> {
  const memory: Memory = new Map();
  const world = new SimulatedWorld({ autoAdvance: true });
  const open = (actor: Actor): RunLog & Runs => {
    const log = memoryLog(claimantOf(actor), memory);
    return { ...log, ...memoryRuns(log, memory) };
  };
  return worldOf(open, { runsRoot: "/runs" }, world);
}

testAwayStore("the log in memory", () => memoryBehindLink({}));

test("control: a store without patience fails a commit that could have waited", async () => {
  const { store, link, runsRoot } = await memoryBehindLink({ patienceMs: 0 });
  const runRoot = `${runsRoot}/dr_sample`;
  await store.create(runRoot, [runCreated()], []);
  const writer = await mustAcquire(store, runRoot);
  link.cut(1000);
  expect(await codeOf(() => writer.commit([noted("a")]))).toBe("UNAVAILABLE");
});

/** The first process reaches the store over a link. */
async function memoryBehindLink(options: LinkOptions): Promise<AwayWorld> {
  const memory: Memory = new Map();
  const world = new SimulatedWorld({ autoAdvance: true });
  const link = new Link(world.clock);
  const reached = worldOf((actor) => memoryLog(claimantOf(actor), memory), { runsRoot: "/runs" }, world);
  return { ...reached, link, store: behindLink(reached.store, link, options) };
}

function fileStoreOf({ files, clock, random, processes }: Actor): FileStore {
  return fileStore({ files, clock, random, processes });
}
