// The journal is read once for each ownership, whatever asks for it, and what the owner commits is seen at once.
import { expect, test } from "bun:test";
import { owning } from "../../src/orchestrator/ownership.ts";
import { RunView } from "../../src/orchestrator/run-view.ts";
import { makeRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

function countingReads(ports: ReturnType<typeof testPorts>): { ports: typeof ports; reads: () => number } {
  let reads = 0;
  const store = new Proxy(ports.store, {
    get(target, key) {
      if (key === "records") reads++;
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  return { ports: { ...ports, store }, reads: () => reads };
}

test("a view shows what was there and what its owner commits, each once and in order, and reads once", async () => {
  using folder = temporaryFolder();
  const plain = testPorts();
  const runRoot = await makeRun(plain, folder.path, "dr_1");
  const { ports, reads } = countingReads(plain);
  await owning(ports, runRoot, { reason: "test", observer: {} }, async ({ writer, view }) => {
    const change = (data: { from: "idle" | "running"; to: "running" | "paused"; reason: string }) =>
      writer.commit([{ kind: "state.changed", data }]);
    await change({ from: "idle", to: "running", reason: "before it was read" });
    const first = (await view.records()).length;
    await change({ from: "running", to: "paused", reason: "after" });
    const seqs = (await view.records()).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: first + 1 }, (_, index) => index + 1));
  });
  expect(reads()).toBe(1);
});

test("a commit that comes while the journal is read is seen, and seen once", async () => {
  using folder = temporaryFolder();
  const ports = testPorts();
  const runRoot = await makeRun(ports, folder.path, "dr_1");
  const stored = await ports.store.records(runRoot);
  const last = stored.at(-1);
  if (last === undefined) throw new Error("a run has records");
  const during = { ...last, seq: last.seq + 1 };
  const view = new RunView(
    {
      records: async () => {
        view.note(last);
        view.note(during);
        return [...stored];
      },
    },
    runRoot,
  );
  expect((await view.records()).map(({ seq }) => seq)).toEqual([...stored.map(({ seq }) => seq), during.seq]);
});

test("a reading that failed is done again", async () => {
  let calls = 0;
  const view = new RunView(
    {
      records: async () => {
        if (++calls === 1) throw new Error("the disk was busy");
        return [];
      },
    },
    "/nowhere",
  );
  expect(view.records()).rejects.toThrow("busy");
  expect(await view.records()).toEqual([]);
});
