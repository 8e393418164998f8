// What a store takes as content: nothing that it would not read back.
import { expect, test } from "bun:test";
import { runCreated } from "../conformance/sample-run.ts";
import { endOf, mustAcquire, RUN, storeOf } from "../simulation/store-workload.ts";
import { SimulatedWorld } from "../simulation/world.ts";
import { MAX_CONTENT_BYTES } from "../../src/stores/content-files.ts";

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
