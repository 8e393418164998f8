// Every run store does the same: files on a real disk, files on the simulated disk, and memory.
import { mkdtempSync, rmSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { RunStore } from "../../src/ports/run-store.ts";
import { fileStore } from "../../src/stores/file-store.ts";
import { memoryStore, type Memory } from "./memory-store.ts";
import { realFiles } from "../../src/system/files.ts";
import { realRandom } from "../../src/system/random.ts";
import { SimulatedWorld, type Actor } from "../simulation/world.ts";
import { testDiskStore, testRunStore, type DiskStoreWorld, type StoreWorld } from "./run-store.ts";

/** Processes of a simulated host over any store. */
function worldOf<Rest extends Pick<StoreWorld, "runsRoot" | "end">>(
  open: (actor: Actor) => RunStore,
  rest: Rest,
  world: SimulatedWorld,
): StoreWorld & Rest {
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
    advance: (ms) => world.clock.advance(ms),
    ...rest,
  };
}

async function realDisk(): Promise<DiskStoreWorld> {
  const runsRoot = mkdtempSync(`${tmpdir()}/dr-conformance-`);
  const world = new SimulatedWorld({ autoAdvance: true });
  const open = ({ clock, processes }: Actor): RunStore =>
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

async function simulatedDisk(): Promise<DiskStoreWorld> {
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
  ["the file store on a real disk", realDisk],
  ["the file store on the simulated disk", simulatedDisk],
] as const) {
  testRunStore(name, makeWorld);
  testDiskStore(name, makeWorld);
}

testRunStore("the memory store", async () => {
  const memory: Memory = new Map();
  const world = new SimulatedWorld({ autoAdvance: true });
  return worldOf((actor) => memoryStore(actor, memory), { runsRoot: "/runs" }, world);
});

function fileStoreOf({ files, clock, random, processes }: Actor): RunStore {
  return fileStore({ files, clock, random, processes });
}
