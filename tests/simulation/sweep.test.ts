// The simulated world at work on a small protocol: crash at every effect, cut the power, look; and the same with a guard out.
import { expect, test } from "bun:test";
import type { Files } from "../../src/ports/files.ts";
import { bytes } from "./calls.ts";
import { anyMixture, Crashed, dropUnsynced, type Fault } from "./disk.ts";
import { SimulatedWorld } from "./world.ts";

type Replace = (files: Files) => Promise<void>;

function replaceWith(guards: { syncFile: boolean; syncFolder: boolean }): Replace {
  return async (files) => {
    const handle = await files.open("/run/tmp", "create");
    await handle.write(bytes("new"));
    if (guards.syncFile) await handle.sync();
    await handle.close();
    await files.rename("/run/tmp", "/run/manifest");
    if (guards.syncFolder) await files.syncFolder("/run");
  };
}

/** Every content that the file has after a crash at any effect and a power cut; what is acknowledged has to be there. */
async function sweep(replace: Replace): Promise<Set<string>> {
  const ends = new Set<string>();
  const kinds: Fault["kind"][] = ["crash-before", "crash-mid", "crash-after"];
  for (const kind of kinds) {
    for (let at = 1, isDone = false; !isDone; at++) {
      const world = new SimulatedWorld();
      world.disk.plantFile("/run/manifest", "old");
      const actor = world.spawn("writer");
      actor.files.plan({ kind, at } as Fault);
      try {
        await replace(actor.files);
        isDone = true;
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
      }
      for (const choices of [dropUnsynced, ...Array.from({ length: 8 }, (_, seed) => anyMixture(seed))]) {
        const end = world.cloneKilled();
        end.powerCut(choices);
        const content = end.disk.text("/run/manifest") ?? "nothing";
        ends.add(isDone && content !== "new" ? `acknowledged, but ${content}` : content);
      }
    }
  }
  return ends;
}

test("a durable replacement is old or new at every crash", async () => {
  expect([...(await sweep(replaceWith({ syncFile: true, syncFolder: true })))].sort()).toEqual(["new", "old"]);
});

test("control: without the sync of the file it may be empty", async () => {
  expect(await sweep(replaceWith({ syncFile: false, syncFolder: true }))).toContain("");
});

test("control: without the sync of the folder it may be old although it was acknowledged", async () => {
  expect(await sweep(replaceWith({ syncFile: true, syncFolder: false }))).toContain("acknowledged, but old");
});
