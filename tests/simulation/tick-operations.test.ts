// The file operations of one tick, counted on the simulated disk: what it opens, what it syncs, and that history costs none.
import { expect, test } from "bun:test";
import { owning } from "../../src/orchestrator/owning.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { RUN_ROOT, RunWorld, start, tick, stoppedBy } from "../orchestrator/at-work.ts";
import type { TraceEntry } from "./disk.ts";

const ANSWER: RecordDraft = { kind: "engine.answered", data: { query: "bees", hits: [] } };
/** As many as one commit may bring without the manifest being written beside it. */
const RECORDS_AT_ONCE = 90;

/** The operations of a tick that does one step of a run with at least so many records behind it. */
async function operationsAfter(records: number): Promise<TraceEntry[]> {
  const world = new RunWorld();
  await start(world, { untilStage: "wave1" });
  const { ports } = world.process("history");
  await owning(ports, RUN_ROOT, { reason: "a long history" }, async ({ writer }) => {
    while (writer.manifest.revision < records)
      await writer.commit(Array.from({ length: RECORDS_AT_ONCE }, () => ANSWER));
  });
  const { trace } = world.world.disk;
  const before = trace.length;
  const ending = await tick(world, 1);
  expect([stoppedBy(ending), ending.kind]).toEqual(["max_steps", "ended"]);
  expect(ending).toMatchObject({ outcome: { result: { steps_completed: 1 } } });
  return trace.slice(before);
}

function opened(operations: readonly TraceEntry[], name: string): number {
  const path = `${RUN_ROOT}/${name}`;
  return operations.filter((one) => one.effect.startsWith("open-") && one.path === path).length;
}

/** Syncs of files and folders in which this process has changed nothing since they were last synced. */
function needlessSyncs(operations: readonly TraceEntry[]): string[] {
  const changed = new Set<string>();
  const needless: string[] = [];
  for (const { effect, path } of operations) {
    const [, name = path] = path.split(" -> ");
    if (effect === "write" || effect === "writeAt") changed.add(path);
    if (["link", "rename", "makeFolder", "open-create", "remove"].includes(effect))
      changed.add(name.slice(0, name.lastIndexOf("/")));
    if ((effect === "sync" || effect === "syncFolder") && !changed.delete(path)) needless.push(path);
  }
  return needless;
}

test("a tick with one step opens the manifest once and the journal twice", async () => {
  const operations = await operationsAfter(100);
  expect([opened(operations, "manifest.json"), opened(operations, "journal.jsonl")]).toEqual([1, 2]);
});

test("it syncs what it has written, and before that only the journal, which another owner may have left unsynced", async () => {
  expect(needlessSyncs(await operationsAfter(100))).toEqual([`${RUN_ROOT}/journal.jsonl`]);
});

test("a history a hundred times as long costs it no operation more", async () => {
  const [short, long] = [await operationsAfter(100), await operationsAfter(10_000)];
  // It costs a read less: only a short journal is folded once more and compared.
  expect(long.length).toBe(short.length - 1);
});

test("control: what is opened or synced once more is counted", async () => {
  const operations = await operationsAfter(100);
  const again = operations.filter(({ effect, path }) => effect === "sync" || path.endsWith("manifest.json"));
  expect(opened([...operations, ...again], "manifest.json")).toBe(2);
  expect(needlessSyncs([...operations, ...again]).length).toBeGreaterThan(1);
});
