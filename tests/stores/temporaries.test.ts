// Half-written files: those of processes that were killed are swept by the next owner, those of others stay.
import { describe, expect, test } from "bun:test";
import { pauseRequest, resultRequest, runCreated, sourceNamed } from "../conformance/sample-run.ts";
import { keepUnsynced } from "../simulation/disk.ts";
import { endOf, mustAcquire, RUN, storeOf } from "../simulation/store-workload.ts";
import { SimulatedWorld, type Actor } from "../simulation/world.ts";
import type { FileStore } from "../../src/stores/file-store.ts";

const HOUR_MS = 3_600_000;
const SOURCE = sourceNamed("The first source.");

const PARTS = ["The answer.", "A document."].map((text) => new TextEncoder().encode(text));

const WORK: Record<string, (store: FileStore) => Promise<unknown>> = {
  create: (store) => store.create(RUN, [runCreated(), SOURCE.draft], [SOURCE]),
  claim: async (store) => (await mustAcquire(store)).release(),
  request: (store) => store.request(RUN, pauseRequest()),
  "request with parts": (store) => store.request(RUN, resultRequest(PARTS), PARTS),
  remake: (store) => store.acquireForRepair(RUN),
};

async function worldFor(name: string): Promise<SimulatedWorld> {
  const world = new SimulatedWorld({ autoAdvance: true });
  world.disk.plantFolder("/runs");
  if (name === "create") return world;
  await WORK["create"]?.(storeOf(world.spawn("before")));
  if (name === "remake")
    world.disk.plantFile(`${RUN}/journal.jsonl`, `${world.disk.text(`${RUN}/journal.jsonl`)}bad\n`);
  world.kill();
  return world;
}

const temporaries = (world: SimulatedWorld): string[] =>
  world.disk.paths().filter((path) => path.startsWith(`${RUN}/.tmp-`));

const inRequests = (world: SimulatedWorld): string[] =>
  world.disk.paths().flatMap((path) => (path.startsWith(`${RUN}/requests/`) ? [path.split("/").at(-1) ?? ""] : []));

/** Another process takes the run, and gives it back. */
async function ownNext(world: SimulatedWorld): Promise<void> {
  const store = storeOf(world.spawn("next"));
  await WORK["create"]?.(store);
  await store.acquireForRepair(RUN).then(async (owned) => {
    if (owned.kind === "acquired") await owned.writer.release();
  });
}

for (const [name, work] of Object.entries(WORK)) {
  test(`${name} that is killed at any effect leaves nothing behind the next owner`, async () => {
    let left = 0;
    for (let at = 1; ; at++) {
      const world = await worldFor(name);
      const actor = world.spawn("killed");
      actor.files.plan({ kind: "crash-after", at });
      if ((await endOf(work(storeOf(actor)))) !== "crashed") break;
      left += temporaries(world).length;
      await ownNext(world);
      expect([at, temporaries(world)]).toEqual([at, []]);
    }
    expect(left).toBeGreaterThan(0);
  });
}

test("bytes that came with a request stand as long as it does, and those of one that was never named are swept", async () => {
  let left = 0;
  for (let at = 1; ; at++) {
    const world = await worldFor("request");
    const actor = world.spawn("killed");
    actor.files.plan({ kind: "crash-after", at });
    if ((await endOf(storeOf(actor).request(RUN, resultRequest(PARTS), PARTS))) !== "crashed") break;
    const before = inRequests(world);
    const isNamed = before.includes("req-1.json");
    if (!isNamed) left += before.length;
    await ownNext(world);
    expect([at, inRequests(world)]).toEqual([at, isNamed ? ["req-1.0", "req-1.1", "req-1.json"] : []]);
  }
  expect(left).toBeGreaterThan(0);
});

describe("a request that is half-written", () => {
  const ask = (actor: Actor): Promise<void> => storeOf(actor).request(RUN, resultRequest(PARTS), PARTS);

  /** A process that stands still before it gives its request a name; what came with it stands. */
  async function asking(): Promise<{ world: SimulatedWorld; asker: Actor; asked: Promise<string> }> {
    const world = await worldFor("request");
    const rehearsal = world.cloneKilled();
    await ask(rehearsal.spawn("trial"));
    const link = rehearsal.disk.trace.findLast(({ process, effect }) => process === "trial" && effect === "link");
    const asker = world.spawn("asker");
    asker.files.plan({ kind: "freeze", at: link?.number ?? 0 });
    const asked = endOf(ask(asker));
    await asker.files.whenFrozen();
    expect(temporaries(world)).toHaveLength(1);
    return { world, asker, asked };
  }

  test("stays while its process lives, also when that takes longer than any lease", async () => {
    const { world, asker, asked } = await asking();
    await world.clock.advance(2 * HOUR_MS);
    await ownNext(world);
    expect(temporaries(world)).toHaveLength(1);
    asker.thaw();
    expect(await asked).toBe("done");
    expect(temporaries(world)).toEqual([]);
    await ownNext(world);
    expect(inRequests(world)).toEqual(["req-1.0", "req-1.1", "req-1.json"]);
  });

  test("of a process that may not be looked at is swept after the longest lease; that process then says that it failed", async () => {
    const { world, asker, asked } = await asking();
    world.table.hide(asker.pid);
    await ownNext(world);
    expect(temporaries(world)).toHaveLength(1);
    await world.clock.advance(HOUR_MS + 1);
    await ownNext(world);
    expect(temporaries(world)).toEqual([]);
    asker.thaw();
    expect(await asked).toBe("WRITE_FAILED");
  });

  test("of another boot says nothing by its pid: it is swept after that time", async () => {
    const { world } = await asking();
    world.powerCut(keepUnsynced);
    await ownNext(world);
    expect(temporaries(world)).toHaveLength(1);
    await world.clock.advance(HOUR_MS + 1);
    await ownNext(world);
    expect(temporaries(world)).toEqual([]);
  });

  test("of a pid that another process has now is swept", async () => {
    const { world, asker } = await asking();
    asker.kill();
    world.spawn("another", asker.pid);
    await ownNext(world);
    expect(temporaries(world)).toEqual([]);
  });
});
