// The fold: what each record changes, and that a fold may stop and continue anywhere.
import { describe, expect, test } from "bun:test";
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { digestOfJson } from "../../src/kernel/digest.ts";
import { foldFirst } from "../../src/run/log/first-fold.ts";
import { foldAll, foldRecord } from "../../src/run/log/fold.ts";
import { CHAIN_START, frameRecord, readRecordLine, scanJournal, sealRecord } from "../../src/run/log/journal.ts";
import { readManifestText, sealManifest } from "../../src/run/log/manifest-text.ts";
import { HISTORY_LENGTH, type Manifest } from "../../src/run/log/manifest.ts";
import type { PlacedRecord, RecordDraft } from "../../src/run/log/record.ts";
import {
  noted,
  planned,
  runCreated,
  sourceNamed,
  stateChanged,
  stepCompleted,
  stepStarted,
  tickEnded,
  tickStarted,
} from "../conformance/sample-run.ts";

function placed(...drafts: RecordDraft[]): PlacedRecord[] {
  let text = "";
  let head = CHAIN_START;
  for (const [index, draft] of drafts.entries()) {
    const ts = new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString();
    const { record, line } = sealRecord(draft, { seq: head.seq + 1, ts, epoch: 1, prev: head.digest });
    text += frameRecord(line);
    head = { seq: record.seq, epoch: 1, digest: record.digest };
  }
  return scanJournal(new TextEncoder().encode(text)).records;
}

function folded(...drafts: RecordDraft[]): Manifest {
  const manifest = foldAll(placed(runCreated(), ...drafts));
  if (manifest === null) throw new Error("nothing to fold");
  return manifest;
}

const entered = (from: "init" | "perspectives", to: "perspectives" | "wave1"): RecordDraft => ({
  kind: "stage.entered",
  data: { from, to, reason: "a test", inputs_digest: digestOfJson(from), gates_revision: 1, folds: [] },
});
const failed = (key: string): RecordDraft => ({
  kind: "step.failed",
  data: { key, stage: "init", attempt: 1, error: { code: "READ_FAILED", message: "no", retryable: true } },
});
const report = {
  version_index: 1,
  created_at: "2025-01-01T00:00:00.000Z",
  trigger_type: "auto_natural_stop" as const,
  partial: false,
  report_file_path: "reports/1/report.md",
  digest: digestOfJson("report"),
  report_md_digest: digestOfJson("report.md"),
  evidence_digest: digestOfJson("evidence"),
  claims: 1,
  sources: 1,
  usage: { calls: 0, tokens: 0, cost_usd: 0 },
};

test("nothing folds to nothing, and only run.created begins a run", () => {
  expect(foldAll([])).toBeNull();
  expect(() => foldAll(placed(noted("first")))).toThrow("INTEGRITY_ERROR");
  expect(() => folded(runCreated())).toThrow("is twice");
});

test("a new run is idle, at revision 1, with every gate not run", () => {
  const manifest = folded();
  expect(manifest).toMatchObject({
    run_id: "dr_sample",
    revision: 1,
    execution_state: "idle",
    stage: { current: "init" },
    steps: {},
    halt: null,
  });
  expect(Object.values(manifest.gates).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "not_run"));
});

test("every record moves revision, time, epoch and the place in the journal; some move nothing else", () => {
  const records = placed(runCreated(), noted("x"));
  const manifest = foldAll(records);
  const last = records[1];
  expect(manifest).toMatchObject({
    revision: 2,
    epoch: 1,
    journal: { seq: 2, offset: last?.offset, digest: last?.record.digest },
  });
  const { revision, updated_at, journal, ...rest } = folded(noted("x"));
  const { revision: _r, updated_at: _u, journal: _j, ...before } = folded();
  expect(rest).toEqual(before);
  expect([revision, updated_at, journal.seq]).toEqual([2, "2025-01-01T00:00:01.000Z", 2]);
});

test("a record of an unknown kind moves only the revision", () => {
  const { line } = sealRecord({ ...noted("x"), kind: "of.tomorrow" } as unknown as RecordDraft, {
    seq: 2,
    ts: "2025-01-01T00:00:01.000Z",
    epoch: 1,
    prev: null,
  });
  const reading = readRecordLine(line);
  if (reading.kind !== "record") throw new Error("no record");
  const manifest = folded();
  foldRecord(manifest, { record: reading.record, offset: 10, end: 20 });
  expect(manifest).toMatchObject({ revision: 2, execution_state: "idle" });
});

describe("state changes", () => {
  test("are kept with the last of their history; a change that the table forbids is damage", () => {
    const manifest = folded(stateChanged("idle", "running"), tickStarted(), stateChanged("running", "paused"));
    expect(manifest).toMatchObject({ execution_state: "paused", status: "paused", tick: { is_open: false } });
    expect(manifest.state_history.map(({ to }) => to)).toEqual(["running", "paused"]);
    expect(() => folded(stateChanged("running", "paused"))).toThrow("INTEGRITY_ERROR");
    expect(() => folded({ kind: "state.changed", data: { from: "idle", to: "completed", reason: "" } })).toThrow(
      "INTEGRITY_ERROR",
    );
  });

  test("beyond the last twenty are forgotten", () => {
    const many = Array.from({ length: 15 }, () => [
      stateChanged("running", "paused"),
      stateChanged("paused", "running"),
    ]).flat();
    expect(folded(stateChanged("idle", "running"), ...many).state_history).toHaveLength(HISTORY_LENGTH);
  });

  test("a selected report version is the current one until the next is published", () => {
    const second = { ...report, version_index: 2 };
    const published = (version: typeof report): RecordDraft => ({
      kind: "report.published",
      data: { report: version, count: version.version_index, report_files: [] },
    });
    const selected = (version_index: number): RecordDraft => ({ kind: "report.selected", data: { version_index } });
    const of = (...drafts: RecordDraft[]) => folded(published(report), published(second), ...drafts);
    expect(of().current_report_version_index).toBe(2);
    expect(of(selected(1)).current_report_version_index).toBe(1);
    expect(of(selected(1), published({ ...report, version_index: 3 })).current_report_version_index).toBe(3);
    expect(of(selected(1)).report_versions).toHaveLength(2);
    expect(() => of(selected(3))).toThrow("never published");
  });

  test("to completed may publish the first report in the same record", () => {
    const done = folded(stateChanged("idle", "running"), {
      kind: "state.changed",
      data: { from: "running", to: "completed", reason: "done", report, report_files: [] },
    });
    expect(done).toMatchObject({
      execution_state: "completed",
      ended_at: "2025-01-01T00:00:02.000Z",
      current_report_version_index: 1,
    });
    expect(done.report_versions).toEqual([report]);
  });
});

describe("steps", () => {
  test("are planned, started, failed and completed, and counted", () => {
    const manifest = folded(
      planned("init", "init.a", "init.b"),
      stepStarted("init", "init.a"),
      failed("init.a"),
      stepStarted("init", "init.a"),
      stepCompleted("init", "init.a", 1),
    );
    expect(manifest.steps["init.a"]).toMatchObject({
      state: "completed",
      failures_since_resume: 1,
      result: { digest: digestOfJson(1) },
    });
    expect(manifest.steps["init.a"]?.error).toBeUndefined();
    expect(manifest.steps["init.b"]).toMatchObject({ state: "planned", attempts: 0 });
    expect(manifest.counters).toMatchObject({ attempts: 2, attempts_failed: 1, steps_completed: 1 });
  });

  test("a plan does not undo what is done already", () => {
    expect(folded(stepCompleted("init", "init.a", 1), planned("init", "init.a")).steps["init.a"]?.state).toBe(
      "completed",
    );
  });

  test("of a stage that was left are gone from the manifest", () => {
    const manifest = folded(stepCompleted("init", "init.a", 1), entered("init", "perspectives"));
    expect(manifest.steps).toEqual({});
    expect(manifest.stage).toMatchObject({ current: "perspectives", history: [{ from: "init", to: "perspectives" }] });
  });

  test("a halt lifted lets failed ones try again; one of no evidence opens finished ones too", () => {
    const cleared = (kind: string): RecordDraft => ({ kind: "halt.cleared", data: { kind, reason: "a test" } });
    const before = [stepStarted("init", "init.a"), failed("init.a"), stepCompleted("init", "init.b", 1)];
    expect(folded(...before, cleared("gate_blocked")).steps).toMatchObject({
      "init.a": { failures_since_resume: 0 },
      "init.b": { state: "completed" },
    });
    expect(folded(...before, cleared("no_evidence")).steps["init.b"]?.state).toBe("planned");
  });

  test("a halt that time ended opens no failed step: only a person does", () => {
    const cleared = (by: "person" | "time"): RecordDraft => ({
      kind: "halt.cleared",
      data: { kind: "quota", reason: "a test", by },
    });
    const failuresAfter = (by: "person" | "time"): number | undefined =>
      folded(stepStarted("init", "init.a"), failed("init.a"), cleared(by)).steps["init.a"]?.failures_since_resume;
    expect([failuresAfter("time"), failuresAfter("person")]).toEqual([1, 0]);
  });
});

test("ticks, takeovers, sources and requests are counted or noted", () => {
  const takeover: RecordDraft = {
    kind: "lease.taken",
    data: { owner_id: "own_1", pid: 1, hostname: "h", took_over: "expired" },
  };
  const request: RecordDraft = {
    kind: "request.pause",
    data: { request_id: "req-1", reason: "", requested_at: "2025-01-01T00:00:00.000Z" },
  };
  const manifest = folded(takeover, tickStarted(3), tickEnded(3), sourceNamed("s").draft, request);
  expect(manifest).toMatchObject({
    tick: { number: 3, is_open: false, worked_ms: 5 },
    requests_done: ["req-1"],
    counters: { takeovers: 1, sources: 1 },
  });
});

test("a fold may stop and continue anywhere", () => {
  const records = placed(
    runCreated(),
    stateChanged("idle", "running"),
    tickStarted(),
    planned("init", "init.a"),
    stepStarted("init", "init.a"),
    stepCompleted("init", "init.a", { a: [1] }),
    entered("init", "perspectives"),
    noted("x"),
    tickEnded(),
    stateChanged("running", "failed"),
  );
  const whole = canonicalJson(foldAll(records));
  for (let stop = 1; stop <= records.length; stop++) {
    const first = records[0];
    if (first === undefined) throw new Error("no record");
    const partial = foldFirst(first);
    for (const record of records.slice(1, stop)) foldRecord(partial, record);
    const reading = readManifestText(sealManifest(partial).text);
    if (reading.kind !== "manifest") throw new Error(`not read back: ${reading.kind}`);
    for (const record of records.slice(stop)) foldRecord(reading.manifest, record);
    expect(canonicalJson(reading.manifest)).toBe(whole);
  }
});

describe("manifest.json", () => {
  const { text } = sealManifest(folded(stepCompleted("init", "init.a", 1)));

  test("flipped at any byte is not trusted", () => {
    const whole = new TextEncoder().encode(text);
    for (let at = 0; at < whole.byteLength - 1; at++) {
      const copy = whole.slice();
      copy[at] = (copy[at] ?? 0) ^ 0x01;
      expect(readManifestText(new TextDecoder().decode(copy)).kind).not.toBe("manifest");
    }
  });

  test.each(["", "null", "[]", "{}", "{", '{"digest":1}', '{"digest":"sha256:00"}'])("%p is not trusted", (content) => {
    expect(readManifestText(content).kind).toBe("untrusted");
  });

  test("of a newer major version is newer, not damaged", () => {
    const newer = { ...folded(), schema_version: "manifest.v3" };
    expect(readManifestText(sealManifest(newer as unknown as Manifest).text)).toEqual({
      kind: "newer",
      version: "manifest.v3",
    });
  });
});

test("a step that was opened again keeps its result when its record says so, as older records do not", () => {
  const key = "init:again";
  const reopened: RecordDraft = { kind: "step.reopened", data: { key, stage: "init", reason: "a test" } };
  const begun = (keeps: { keeps_result?: true }): Manifest => {
    const started = stepStarted("init", key);
    if (started.kind !== "step.started") throw new Error("not a start");
    const again: RecordDraft = { ...started, data: { ...started.data, attempt: 2, ...keeps } };
    return folded(stepStarted("init", key), stepCompleted("init", key, { found: 1 }), reopened, again);
  };
  expect(begun({}).steps[key]?.result).toBeUndefined();
  expect(begun({ keeps_result: true }).steps[key]?.result).toBeDefined();
});
