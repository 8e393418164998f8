// Content on a failing disk: what is stored is read back, also after a power cut.
import { expect, test } from "bun:test";
import { runCreated } from "../conformance/sample-run.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { changed } from "../simulation/changed.ts";
import { dropUnsynced } from "../simulation/disk.ts";
import { endOf, mustAcquire, RUN, storeOf, type Guard } from "../simulation/store-workload.ts";
import { SimulatedWorld } from "../simulation/world.ts";

const SOURCE = { path: "sources/a", bytes: new TextEncoder().encode("The text of a source.") };
const SOURCE_REF = { path: SOURCE.path, sha256: digestOfBytes(SOURCE.bytes) };

/**
 * Equal bytes stand there that somebody never synced, and their fsync fails once. Stored until it succeeds; whether the
 * content is there after a power cut.
 */
async function storedOverLostBytes(): Promise<string> {
  const world = new SimulatedWorld({ autoAdvance: true });
  world.disk.plantFolder(`${RUN}/sources`);
  let isFailing = false;
  const failing: Guard = (files) =>
    changed(files, {
      open: async (path, mode) => {
        if (isFailing && path.endsWith(SOURCE.path)) {
          isFailing = false;
          owner.files.plan({ kind: "fail", at: 1, errno: "EIO", forever: true, on: ["sync"] });
        } else owner.files.plan();
        return await files.open(path, mode);
      },
    });
  const owner = world.spawn("owner");
  const store = storeOf(owner, failing);
  await store.create(RUN, [runCreated()], []);
  const writer = await mustAcquire(store);
  const other = await world.spawn("other").files.open(`${RUN}/${SOURCE.path}`, "create");
  await other.write(SOURCE.bytes);
  await world.spawn("namer").files.syncFolder(`${RUN}/sources`);
  isFailing = true;
  for (let tries = 1; (await endOf(writer.storeContent(SOURCE.path, SOURCE.bytes))) !== "done"; tries++)
    if (tries > 2) return "never stored";
  world.powerCut(dropUnsynced);
  return await endOf(storeOf(world.spawn("last")).readContent(RUN, SOURCE_REF));
}

test("equal content whose fsync fails is stored in another file (S7)", async () => {
  expect(await storedOverLostBytes()).toBe("done");
});
