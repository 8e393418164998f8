// The journal is read once for each ownership, whatever asks for it, and what the owner commits is seen at once.
import { expect, test } from "bun:test";
import { owning } from "../../src/orchestrator/owning.ts";
import { RunView } from "../../src/orchestrator/run-view.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

test("a view shows what was there and what its owner commits, each once and in order, and reads once", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  await owning(ports, runRoot, { reason: "test" }, async ({ writer, view }) => {
    let reads = 0;
    const read = writer.records.bind(writer);
    writer.records = async () => (reads++, await read());
    const change = (data: { from: "idle" | "running"; to: "running" | "paused"; reason: string }) =>
      writer.commit([{ kind: "state.changed", data }]);
    await change({ from: "idle", to: "running", reason: "before it was read" });
    const first = (await view.records()).length;
    await change({ from: "running", to: "paused", reason: "after" });
    const seqs = (await view.records()).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: first + 1 }, (_, index) => index + 1));
    expect(reads).toBe(1);
  });
});

test("a commit that comes while the journal is read is seen, and seen once", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  const stored = await ports.store.records(runRoot);
  const last = stored.at(-1);
  if (last === undefined) throw new Error("a run has records");
  const during = { ...last, seq: last.seq + 1 };
  const committed: AnyRecord[] = [];
  const records = async (): Promise<AnyRecord[]> => {
    committed.push(last, during);
    return [...stored];
  };
  const view = new RunView({ records }, committed);
  expect((await view.records()).map(({ seq }) => seq)).toEqual([...stored.map(({ seq }) => seq), during.seq]);
});

test("a reading that failed is done again", async () => {
  let calls = 0;
  const records = async (): Promise<AnyRecord[]> => {
    if (++calls === 1) throw new Error("the disk was busy");
    return [];
  };
  const view = new RunView({ records });
  expect(view.records()).rejects.toThrow("busy");
  expect(await view.records()).toEqual([]);
});
