// A store takes as content nothing that it would not read back.
import { expect, test } from "bun:test";
import { runCreated } from "../conformance/sample-run.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { changed } from "../simulation/changed.ts";
import { dropUnsynced } from "../simulation/disk.ts";
import { endOf, mustAcquire, RUN, storeOf, type Guard } from "../simulation/store-workload.ts";
import { SimulatedWorld } from "../simulation/world.ts";
import { MAX_CONTENT_BYTES } from "../../src/stores/disk/content-files.ts";

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

test("content that is too large is refused before anything of it is written, and the writer goes on", async () => {
  const world = new SimulatedWorld({ autoAdvance: true });
  world.disk.plantFolder("/runs");
  const store = storeOf(world.spawn("owner"));
  const huge = { path: "sources/huge", bytes: new Uint8Array(MAX_CONTENT_BYTES + 1) };
  expect(await endOf(store.create(RUN, [runCreated()], [huge]))).toBe("INPUT_TOO_LARGE");
  await store.create(RUN, [runCreated()], []);
  const writer = await mustAcquire(store);
  const before = world.disk.paths();
  expect(await endOf(writer.storeContent(huge.path, huge.bytes))).toBe("INPUT_TOO_LARGE");
  expect(world.disk.paths()).toEqual(before);
  await writer.storeContent("sources/small", new Uint8Array(1));
});
