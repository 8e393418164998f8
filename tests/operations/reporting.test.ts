// A report that is being written of a run at rest: every look says so, `watch` follows it, and nothing else is offered.
import { describe, expect, test } from "bun:test";
import { followRun } from "../../src/operations/look/watch-run.ts";
import { statusOf } from "../../src/operations/look/status.ts";
import { settledStanding } from "../../src/operations/look/triage-run.ts";
import type { LeasePurpose } from "../../src/run/lease.ts";
import type { RecordDraft } from "../../src/run/log/record.ts";
import { headlineOf, sentenceOf } from "../../src/surface/state-words.ts";
import { cli } from "../cli/fake-host.ts";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  temporaryFolder,
  testPorts,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();
const RESTING: Record<string, (runRoot: string) => RecordDraft[]> = {
  paused: () => [TO_RUNNING, TO_PAUSED],
  stopped: (runRoot) => [TO_RUNNING, noEvidenceHalt(runRoot, "r")],
  interrupted: () => [TO_RUNNING, { kind: "state.changed", data: { from: "running", to: "interrupted", reason: "" } }],
  aborted: () => [TO_RUNNING, { kind: "state.changed", data: { from: "running", to: "aborted", reason: "" } }],
  failed: () => [TO_RUNNING, { kind: "state.changed", data: { from: "running", to: "failed", reason: "" } }],
};

async function resting(runsRoot: string, state: string): Promise<string> {
  if (state === "completed") return await makeCompletedRun(ports, runsRoot, "r");
  const runRoot = await makeRun(ports, runsRoot, "r");
  await withWriter(ports, runRoot, async (writer) => void (await writer.commit(RESTING[state]?.(runRoot) ?? [])));
  return runRoot;
}

async function owned(runRoot: string, purpose: LeasePurpose) {
  const acquisition = await ports.store.acquire(runRoot, { purpose, isQuiet: true });
  if (acquisition.kind !== "acquired") throw new Error("the lease is held");
  return acquisition.writer;
}

async function looked(runRoot: string) {
  const { result, run } = await statusOf(ports, runRoot);
  const standing = await settledStanding(ports, run);
  return {
    activity: result.activity,
    words: headlineOf({ ...result, ...standing }).words,
    sentence: sentenceOf(standing),
    next: standing.next.map(({ verb }) => verb),
  };
}

describe.each([...Object.keys(RESTING), "completed"])("of a run that is %s", (state) => {
  test("is said in each look, and nobody is told to begin what would be refused", async () => {
    using folder = temporaryFolder();
    const runRoot = await resting(folder.path, state);
    const before = await looked(runRoot);
    const writer = await owned(runRoot, "report");
    const seen = await looked(runRoot);
    expect(seen).toEqual({
      activity: "reporting",
      words: `writing a report; ${before.words}`,
      sentence: `A report is being written from what was found. The run itself stays as it is: ${state}.`,
      next: ["watch"],
    });
    const { stdout } = await cli(["triage", "--run-root", runRoot]);
    expect(stdout).toContain("A report is being written");
    await writer.release();
    expect(await looked(runRoot)).toEqual(before);
    // Control: another owner writes no report.
    const other = await owned(runRoot, "work");
    expect((await looked(runRoot)).activity).toBe("none");
    await other.release();
  });
});

test("whoever wants the run meanwhile is told what to wait for", async () => {
  using folder = temporaryFolder();
  const runRoot = await resting(folder.path, "paused");
  const writer = await owned(runRoot, "report");
  const { code, stderr } = await cli(["resume", "--run-root", runRoot]);
  expect(code).toBe(11);
  expect(stderr).toContain("a report of this run is being written");
  expect(stderr).toContain("watch");
  expect(stderr).not.toContain("pause");
  await writer.release();
});

test("watch follows it to its end", async () => {
  using folder = temporaryFolder();
  const runRoot = await resting(folder.path, "paused");
  const writer = await owned(runRoot, "report");
  const told: string[] = [];
  let looks = 0;
  const seen = Promise.withResolvers<void>();
  const following = followRun(
    ports,
    runRoot,
    { sinceSeq: 0, follow: false },
    { onRecord: (_runRoot, { kind }) => told.push(kind), onRun: () => void (++looks === 2 && seen.resolve()) },
  );
  await seen.promise;
  await writer.commit([
    { kind: "manifest.patched", data: { patch: {}, patch_digest: `sha256:${"0".repeat(64)}`, reason: "x" } },
  ]);
  await writer.release();
  await following;
  expect(told).toContain("manifest.patched");
});
