// `tick --all`: which runs it takes, and what others do to them meanwhile.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { tickAll, type TickAllResult } from "../../src/operations/tick-all.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { makeRun, temporaryFolder, testPorts, TO_RUNNING, withWriter } from "./made-run.ts";

const ports = testPorts();

async function running(runsRoot: string, runId: string): Promise<string> {
  const root = await makeRun(ports, runsRoot, runId);
  await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING])));
  return root;
}

async function ticked(runsRoot: string, own: Ports = ports): Promise<TickAllResult["runs"]> {
  return (await tickAll(own, runsRoot, { jobs: 1 }, {})).result.runs;
}

test("a link to a run is none: what it leads to is not worked on", async () => {
  using folder = temporaryFolder();
  const root = await running(`${folder.path}/elsewhere`, "dr_1");
  fs.mkdirSync(`${folder.path}/runs`);
  fs.symlinkSync(root, `${folder.path}/runs/dr_1`);
  const before = fs.readFileSync(`${root}/journal.jsonl`);
  expect(await ticked(`${folder.path}/runs`)).toEqual([]);
  expect(fs.readFileSync(`${root}/journal.jsonl`)).toEqual(before);
});

test("a run that is removed between the look and its tick is no error", async () => {
  using folder = temporaryFolder();
  const root = await running(folder.path, "dr_1");
  const acquire: Ports["store"]["acquire"] = async (...words) => {
    await ports.store.remove(root);
    return await ports.store.acquire(...words);
  };
  const runs = await ticked(folder.path, { ...ports, store: { ...ports.store, acquire } });
  expect(runs).toMatchObject([{ run_id: "dr_1", outcome: "removed", error: null }]);
});

test("a run that cannot be read is told with its error, and the others go on", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  fs.writeFileSync(`${root}/journal.jsonl`, "garbage\n");
  expect(await ticked(folder.path)).toMatchObject([
    { run_id: "dr_1", outcome: "unreadable", error: { code: "INTEGRITY_ERROR" } },
  ]);
});
