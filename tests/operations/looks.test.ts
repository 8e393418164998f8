// The looks: status, list, inspect, triage and reports tell what is there, for runs in every condition.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { digestOfBytes, digestOfJson } from "../../src/kernel/digest.ts";
import { RunError } from "../../src/kernel/errors.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { inspectRun } from "../../src/operations/look/inspect-run.ts";
import { inspectStep } from "../../src/operations/look/inspect-step.ts";
import { listReports } from "../../src/operations/report/read-report.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { showReport } from "../../src/operations/report/read-report.ts";
import { statusOf, summarizeLease } from "../../src/operations/look/status.ts";
import { triageAll } from "../../src/operations/look/triage-all.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { lockHeld } from "../../src/orchestrator/owning.ts";
import { timestamp } from "../../src/ports/clock.ts";
import type { Lease } from "../../src/ports/lease.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { ownerText } from "../../src/surface/fact-words.ts";
import { later } from "./later.ts";
import {
  makeCompletedRun,
  makeRun,
  noEvidenceHalt,
  storeSource,
  temporaryFolder,
  testPorts,
  tickStarted,
  TO_PAUSED,
  TO_RUNNING,
  withWriter,
} from "./made-run.ts";

const ports = testPorts();

/** One run per condition, by the name of the condition. */
async function zoo(runsRoot: string): Promise<Record<string, string>> {
  const roots: Record<string, string> = {};
  for (const name of ["not_started", "between_ticks", "interrupted", "paused", "halted", "damaged"])
    roots[name] = await makeRun(ports, runsRoot, `dr_${name}`);
  const changed = async (
    name: string,
    ...drafts: Parameters<Parameters<Parameters<typeof withWriter>[2]>[0]["commit"]>[0][]
  ): Promise<void> =>
    await withWriter(ports, roots[name] ?? "", async (writer) => void (await writer.commit(drafts.flat())));
  await changed("between_ticks", [TO_RUNNING]);
  await changed("interrupted", [TO_RUNNING, tickStarted(ports)]);
  await changed("paused", [TO_RUNNING, TO_PAUSED]);
  await changed("halted", [TO_RUNNING, noEvidenceHalt(roots["halted"] ?? "", "dr_halted")]);
  await Bun.write(`${roots["damaged"]}/journal.jsonl`, "garbage\n");
  roots["completed"] = await makeCompletedRun(ports, runsRoot, "dr_completed");
  return roots;
}

test("status shows the derived state at once, beside what the journal says", async () => {
  using folder = temporaryFolder();
  const { interrupted = "", completed = "" } = await zoo(folder.path);
  const { result, run } = await statusOf(ports, interrupted);
  expect(result).toMatchObject({ execution_state: "interrupted", recorded_state: "running", tick_is_open: true });
  expect(run?.state).toBe("interrupted");
  expect((await statusOf(ports, completed)).result).toMatchObject({
    execution_state: "completed",
    report_versions: [{ version_index: 1 }],
    current_report_version_index: 1,
    steps: { completed: 1, total: 1 },
  });
});

test("a live owner is shown, and its run is not called interrupted", async () => {
  using folder = temporaryFolder();
  const root = await makeRun(ports, folder.path, "dr_1");
  await withWriter(ports, root, async (writer) => {
    await writer.commit([TO_RUNNING, tickStarted(ports)]);
    const { result } = await statusOf(ports, root);
    expect(result).toMatchObject({ execution_state: "running", lease: { held_by: { pid: process.pid } } });
    expect((await triageRun(ports, root)).result.findings[0].condition).toBe("working");
    const [finding] = (await triageRun(later(ports, 3_600_000), root)).result.findings;
    expect(finding).toMatchObject({ condition: "late", needs_attention: true, why: { timeout_s: 120 } });
    expect(finding.next.some(({ verb }) => verb === "watchdog")).toBe(true);
  });
});

test("an owner that its store knows by no process is shown by its id", async () => {
  using folder = temporaryFolder();
  const run = await ports.store.look(await makeRun(ports, folder.path, "dr_1"));
  const times = { claimed_at_ms: run.now_ms, refreshed_at_ms: run.now_ms - 5000, expires_at_ms: run.now_ms + 55_000 };
  const held: Lease = { owner_id: "own_1", epoch: 3, purpose: "work", ...times };
  const seen = { ...run, lease: { held, stale: null } };
  const lease = summarizeLease(seen);
  expect(lease.held_by).toMatchObject({ pid: null, hostname: null, owner_id: "own_1", heartbeat_age_s: 5 });
  expect(ownerText(lease)).toBe("owner own_1, last heartbeat 5.0 s ago");
  expect((await inspectRun(ports, run.runRoot, seen)).result.lease).toEqual({ record: held, is_held: true });
  const { facts } = lockHeld(run.runRoot, { kind: "held", by: held });
  expect(facts).toMatchObject({ owner_id: "own_1", expires_at: timestamp(held.expires_at_ms) });
  expect(facts).not.toHaveProperty("pid");
});

describe("list", () => {
  test("shows every run, and those that cannot be read with their error", async () => {
    using folder = temporaryFolder();
    await zoo(folder.path);
    const { runs, unreadable } = (await listRuns(ports, folder.path)).result;
    expect(runs).toHaveLength(6);
    expect(unreadable).toMatchObject([{ run_id: "dr_damaged", error: { code: "INTEGRITY_ERROR" } }]);
    expect(runs.map(({ created_at }) => created_at)).toEqual(
      runs
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
  });

  test("filters by state and by halt", async () => {
    using folder = temporaryFolder();
    await zoo(folder.path);
    const ids = async (filter: Parameters<typeof listRuns>[2]): Promise<string[]> =>
      (await listRuns(ports, folder.path, filter)).result.runs.map(({ run_id }) => run_id).sort();
    expect(await ids({ states: ["paused", "interrupted"] })).toEqual(["dr_interrupted", "dr_paused"]);
    expect(await ids({ halted: true })).toEqual(["dr_halted"]);
    expect(await ids({ states: ["running"] })).toEqual(["dr_between_ticks"]);
    expect(await ids({ states: ["running"], halted: true })).toEqual(["dr_halted"]);
    expect(await ids({ states: ["failed"] })).toEqual([]);
  });

  test("sizes are counted where they can be: a run that somebody else closed hides no other", async () => {
    using folder = temporaryFolder();
    const roots = await zoo(folder.path);
    const bytesOf: Ports["runs"]["bytesOf"] = async (root) => {
      if (root !== roots["paused"]) return await ports.runs.bytesOf(root);
      throw new RunError("READ_FAILED", { reason: "EACCES" });
    };
    const { result } = await listRuns({ ...ports, runs: { ...ports.runs, bytesOf } }, folder.path, {
      size: true,
    });
    const sizes = [...result.runs, ...result.unreadable].map(({ bytes }) => bytes);
    expect(sizes.filter((bytes) => bytes === null)).toHaveLength(1);
    expect(result.total_bytes).toBe(sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0));
  });

  test("a runs root that is not there yet is empty", async () => {
    expect((await listRuns(ports, "/nowhere/at/all")).result.runs).toEqual([]);
  });
});

describe("triage", () => {
  test("names the condition of every run, with commands that name the run", async () => {
    using folder = temporaryFolder();
    for (const [condition, root] of Object.entries(await zoo(folder.path))) {
      const [finding] = (await triageRun(ports, root)).result.findings;
      expect(finding.condition).toBe(condition as never);
      expect(finding.next.length).toBeGreaterThan(0);
      for (const { runRoot } of finding.next) expect(runRoot).toBe(root);
    }
  });

  test("a run that a newer version wrote is not called damaged: nothing is to be repaired", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_newer");
    const journal = await Bun.file(`${root}/journal.jsonl`).text();
    const line = journal
      .trim()
      .replace('"journal.v1"', '"journal.v9"')
      .replace(/,"digest":"[^"]*"/, "");
    const digest = digestOfBytes(line);
    await Bun.write(`${root}/journal.jsonl`, ` \n${line.replace(',"epoch":', `,"digest":"${digest}","epoch":`)}\n`);
    await Bun.file(`${root}/manifest.json`).delete();
    const [run] = (await triageAll(ports, folder.path)).result.runs;
    expect(run?.findings).toMatchObject([{ condition: "unreadable", why: { code: "SCHEMA_UNSUPPORTED" } }]);
    expect(run?.findings[0].next).toMatchObject([{ verb: "status", runRoot: root }]);
  });

  test("names a halted run where it lies, not where it halted", async () => {
    using folder = temporaryFolder();
    const { halted = "" } = await zoo(folder.path);
    const moved = `${folder.path}/moved`;
    fs.renameSync(halted, moved);
    const { findings } = (await triageRun(ports, moved)).result;
    expect(findings[0].next.length).toBeGreaterThan(0);
    for (const { runRoot } of findings[0].next) expect(runRoot).toBe(moved);
  });

  test("--all shows only those that need attention", async () => {
    using folder = temporaryFolder();
    await zoo(folder.path);
    const { runs, counts } = (await triageAll(ports, folder.path)).result;
    expect(counts).toMatchObject({ looked_at: 7, need_somebody: 3, by_condition: { completed: 1, paused: 1 } });
    expect(runs.map(({ findings }) => findings[0].condition)).toEqual(["damaged", "halted", "paused"]);
  });
});

test("triage --all counts failed runs and runs without evidence that went on in a fork, and puts what ends by itself behind what does not", async () => {
  using folder = temporaryFolder();
  const failed = {
    kind: "state.changed" as const,
    data: { from: "running" as const, to: "failed" as const, reason: "test" },
  };
  for (const id of ["dr_failed1", "dr_failed2"]) {
    const root = await makeRun(ports, folder.path, id);
    await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING, failed])));
  }
  const quota = await makeRun(ports, folder.path, "dr_quota");
  const unanswered = await makeRun(ports, folder.path, "dr_unanswered");
  const halt = noEvidenceHalt(quota, "dr_quota");
  const noEvidence = noEvidenceHalt(unanswered, "dr_unanswered");
  await withWriter(ports, unanswered, async (writer) => void (await writer.commit([TO_RUNNING, noEvidence])));
  if (halt.kind !== "halt.raised" || halt.data.halt.schema_version !== "halt.v1") throw new Error("no halt");
  const waiting = { ...halt.data.halt, kind: "quota" as const, details: {}, retry_at: "2030-01-01T00:00:00.000Z" };
  await withWriter(
    ports,
    quota,
    async (writer) => void (await writer.commit([TO_RUNNING, { kind: "halt.raised", data: { halt: waiting } }])),
  );
  const all = async () => (await triageAll(ports, folder.path)).result;
  expect((await all()).runs.map(({ run_id }) => run_id)).toEqual([
    "dr_failed2",
    "dr_failed1",
    "dr_unanswered",
    "dr_quota",
  ]);
  for (const id of ["dr_failed1", "dr_unanswered"]) {
    const [created] = await ports.store.records(`${folder.path}/${id}`);
    if (created?.kind !== "run.created") throw new Error("no first record");
    const { digest } = created;
    const forked_from = { run_id: id, seq: 1, digest, offers: null };
    const data = { ...created.data, run_id: `${id}_fork`, forked_from };
    await ports.store.create(`${folder.path}/${id}_fork`, [{ kind: "run.created", data }], []);
  }
  // Nobody has begun the forks: no tick would.
  const withIdleForks = (await all()).runs;
  expect(withIdleForks.map(({ run_id }) => run_id)).toEqual([
    "dr_failed2",
    "dr_failed1",
    "dr_unanswered",
    "dr_unanswered_fork",
    "dr_failed1_fork",
    "dr_quota",
  ]);
  for (const { run_id, findings } of withIdleForks.filter(({ run_id }) => /dr_(?:failed1|unanswered)/.test(run_id)))
    expect([run_id, findings[0].next[0]]).toEqual([
      run_id,
      expect.objectContaining({ verb: "run", runRoot: `${folder.path}/${run_id.replace("_fork", "")}_fork` }),
    ]);
  expect((await all()).counts).toMatchObject({ need_somebody: 5, went_on_in_fork: 0 });
  for (const id of ["dr_failed1_fork", "dr_unanswered_fork"])
    await withWriter(ports, `${folder.path}/${id}`, async (writer) => void (await writer.commit([TO_RUNNING])));
  expect((await all()).runs.map(({ run_id }) => run_id)).toEqual(["dr_failed2", "dr_quota"]);
  expect((await all()).counts).toMatchObject({ need_somebody: 1, failed_and_forked: 1, by_condition: { failed: 2 } });
  expect((await all()).counts.went_on_in_fork).toBe(2);
});

describe("inspect", () => {
  test("shows the whole run", async () => {
    using folder = temporaryFolder();
    const { result } = await inspectRun(ports, await makeCompletedRun(ports, folder.path, "dr_1"));
    expect(result.stages).toMatchObject([
      { stage: "init", counts: { completed: 1 }, steps: [{ key: "init:check", state: "completed", attempts: 1 }] },
    ]);
    expect(result.state_history.map(({ to }) => to)).toEqual(["running", "completed"]);
    expect(result.report_versions).toHaveLength(1);
    expect(result.lease.is_held).toBe(false);
  });

  test("shows the drift that was accepted last", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    expect((await inspectRun(ports, root)).result.accepted_drift).toBe(null);
    const differences = [{ what: "corpus docs", frozen: "3 documents", found: "4 documents" }];
    const accepted = { kind: "drift.accepted" as const, data: { differences, reason: "policy continue" } };
    await withWriter(ports, root, async (writer) => void (await writer.commit([TO_RUNNING, accepted])));
    expect((await inspectRun(ports, root)).result.accepted_drift).toMatchObject({
      differences,
      reason: "policy continue",
    });
  });

  test("shows one step with its attempts and value, and names those there are", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(ports, folder.path, "dr_1");
    const { result } = await inspectStep(ports, root, "init:check");
    expect(result).toMatchObject({ stage: "init", state: "completed", adopted_from: null, value: { documents: 1 } });
    expect(result.attempts).toMatchObject([{ attempt: 1, outcome: "completed", ended_at: expect.any(String) }]);
    const thrown = await inspectStep(ports, root, "init:nope").catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "NOT_FOUND", facts: { nearest: ["init:check"] } });
  });
});

describe("inspect --step", () => {
  const key = "init:check";
  const inputs_digest = digestOfJson("inputs");
  const started = (attempt: number) => ({
    kind: "step.started" as const,
    data: { key, stage: "init" as const, attempt, inputs_digest },
  });

  test("tells every attempt: planned, failed, cut off, at work, adopted, and the sources stored meanwhile", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    const step = async () => (await inspectStep(ports, root, key)).result;
    const error = { code: "INTERNAL", message: "it broke", retryable: true };
    await withWriter(ports, root, async (writer) => {
      await writer.commit([TO_RUNNING, { kind: "stage.planned", data: { stage: "init", keys: [key] } }]);
      expect(await step()).toMatchObject({ state: "planned", attempts: [], result: null, value: null });
      await writer.commit([started(1)]);
      expect(await step()).toMatchObject({ state: "started", attempts: [{ attempt: 1, outcome: "working" }] });
      await writer.commit([{ kind: "step.failed", data: { key, stage: "init", attempt: 1, error } }, started(2)]);
    });
    expect((await step()).attempts).toMatchObject([
      { attempt: 1, outcome: "failed", error },
      { attempt: 2, outcome: "cut_off", ended_at: null },
    ]);
    await withWriter(ports, root, async (writer) => {
      await writer.commit([started(3)]);
      await storeSource(writer, "text", "docs/a.md");
      const value = { found: 1 };
      const result = {
        key,
        stage: "init" as const,
        inputs_digest,
        result_digest: digestOfJson(value),
        value,
        files: [],
      };
      await writer.commit([{ kind: "step.completed", data: { ...result, attempt: 3 } }]);
      await Bun.sleep(2);
      await storeSource(writer, "later", "docs/b.md");
      expect(await step()).toMatchObject({
        state: "completed",
        adopted_from: null,
        value,
        result: { digest: result.result_digest },
      });
      expect((await step()).sources.map(({ origin }) => origin)).toContain("docs/a.md");
      const other = { ...result, key: "init:other", from_run: "dr_0", from_seq: 7 };
      await writer.commit([{ kind: "step.adopted", data: other }]);
    });
    expect((await inspectStep(ports, root, "init:other")).result).toMatchObject({
      state: "completed",
      attempts: [],
      adopted_from: { run_id: "dr_0", seq: 7 },
    });
  });
});

describe("reports", () => {
  test("are listed and shown as they were published", async () => {
    using folder = temporaryFolder();
    const root = await makeCompletedRun(ports, folder.path, "dr_1");
    expect((await listReports(ports, root)).result).toMatchObject({
      current_report_version_index: 1,
      report_versions: [{ version_index: 1 }],
    });
    const { result } = await showReport(ports, root);
    expect(result.report_md).toBe(await Bun.file(result.report_md_path).text());
  });

  test("one that is refused leaves no record", async () => {
    using folder = temporaryFolder();
    const root = await makeRun(ports, folder.path, "dr_1");
    await withWriter(ports, root, async (writer) => {
      await writer.commit([TO_RUNNING]);
    });
    await withWriter(ports, root, async (writer) => {
      await writer.commit([TO_PAUSED]);
    });
    const before = await ports.store.records(root);
    expect(await generateReport(ports, root, {}).catch((error: { code: string }) => error.code)).toBe("NO_EVIDENCE");
    expect(await ports.store.records(root)).toEqual(before);
  });

  test("a version that is not there, a run without one, a report that was altered", async () => {
    using folder = temporaryFolder();
    const { completed = "", not_started = "", halted = "" } = await zoo(folder.path);
    const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
      await work.catch((error: { code: string }) => error.code);
    expect(await codeOf(showReport(ports, completed, { versionIndex: 2 }))).toBe("NOT_FOUND");
    expect(await codeOf(showReport(ports, not_started))).toBe("NOT_FOUND");
    expect(await codeOf(showReport(ports, halted))).toBe("NO_EVIDENCE");
    await Bun.write(`${completed}/reports/1/report.md`, "altered");
    expect(await codeOf(showReport(ports, completed))).toBe("INTEGRITY_ERROR");
    const other = await makeCompletedRun(ports, folder.path, "dr_other");
    await Bun.file(`${other}/reports/1/report.json`).delete();
    expect(await codeOf(showReport(ports, other))).toBe("MISSING_ARTIFACT");
  });
});
