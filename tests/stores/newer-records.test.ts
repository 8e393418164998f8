// A record that a newer version wrote: every reader refuses the run as it stands, and no repair drops the record.
import { expect, test } from "bun:test";
import fs from "node:fs";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { repairRun } from "../../src/operations/care/repair-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { frameRecord, sealRecord } from "../../src/run/log/journal.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { codeOf, makeCompletedRun, temporaryFolder, testPorts } from "../operations/made-run.ts";

const ports = testPorts();

/** Behind the last record of the run: one that knows a provider which this version does not, and two that hang on it. */
async function addNewerRecords(runRoot: string): Promise<void> {
  const record = (await ports.store.records(runRoot)).at(-1);
  if (record === undefined) throw new Error("the run has no record");
  let { seq, digest: prev } = record;
  const draft = {
    kind: "provider.resolved",
    data: {
      requested_provider_id: "telepathy",
      resolved_provider_id: "telepathy",
      resolved_from: "run",
      source_count: 0,
      quote_count: 0,
    },
  } as unknown as RecordDraft;
  for (let count = 0; count < 3; count++) {
    const sealed = sealRecord(draft, { seq: ++seq, ts: record.ts, epoch: record.epoch, prev });
    fs.appendFileSync(`${runRoot}/journal.jsonl`, frameRecord(sealed.line));
    prev = sealed.record.digest;
  }
}

function bytesOf(runRoot: string): string {
  const names = fs.readdirSync(runRoot, { recursive: true }) as string[];
  return names
    .filter((name) => !name.includes(".lock") && fs.statSync(`${runRoot}/${name}`).isFile())
    .map((name) => `${name}\n${fs.readFileSync(`${runRoot}/${name}`, "latin1")}`)
    .join("\n");
}

test("every operation refuses the run, and its files stay as they are", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeCompletedRun(ports, folder.path, "dr_newer");
  await addNewerRecords(runRoot);
  const before = bytesOf(runRoot);
  const operations: Record<string, () => Promise<unknown>> = {
    look: () => ports.store.look(runRoot),
    verify: () => verifyRun(ports, runRoot),
    triage: () => triageRun(ports, runRoot),
    resume: () => resumeRun(ports, runRoot, {}, {}),
    fork: () => forkRun(ports, runRoot, { runsRoot: folder.path }, {}),
    follow: () => ports.store.follow(runRoot, 0).next(),
    repair: () => repairRun(ports, runRoot, { dryRun: false }),
    "repair --dry-run": () => repairRun(ports, runRoot, { dryRun: true }),
    "the writer of a repair": () => ports.folders.acquireForRepair(runRoot),
  };
  for (const [name, operation] of Object.entries(operations))
    expect([name, await codeOf(operation())]).toEqual([name, "SCHEMA_UNSUPPORTED"]);
  expect(bytesOf(runRoot)).toBe(before);
});

test("neither does a repair drop it where the journal is out of its place", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeCompletedRun(ports, folder.path, "dr_newer");
  await addNewerRecords(runRoot);
  const journal = fs.readFileSync(`${runRoot}/journal.jsonl`);
  fs.mkdirSync(`${runRoot}/quarantine`);
  fs.renameSync(`${runRoot}/journal.jsonl`, `${runRoot}/quarantine/journal.1.jsonl`);
  expect(await codeOf(ports.folders.acquireForRepair(runRoot))).toBe("SCHEMA_UNSUPPORTED");
  expect(fs.readFileSync(`${runRoot}/quarantine/journal.1.jsonl`).equals(journal)).toBeTrue();
});

test("control: damage in the same place is damage, and a repair drops it", async () => {
  using folder = temporaryFolder();
  const runRoot = await makeCompletedRun(ports, folder.path, "dr_damaged");
  await addNewerRecords(runRoot);
  const text = fs.readFileSync(`${runRoot}/journal.jsonl`, "utf8");
  fs.writeFileSync(`${runRoot}/journal.jsonl`, text.replaceAll("telepathy", "telepathic"));
  expect(await codeOf(ports.store.look(runRoot))).toBe("INTEGRITY_ERROR");
  const { result } = await repairRun(ports, runRoot, { dryRun: false });
  expect(result.dropped_records).toBe(3);
  expect((await verifyRun(ports, runRoot)).result.reports).toBe(1);
});
