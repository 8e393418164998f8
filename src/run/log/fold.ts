// The fold: changes the manifest of a run by each record. A manifest changes nowhere else.
import { assert, unreachable } from "../../kernel/assert.ts";
import { digestOfJson } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import type { MissingContent } from "../common.ts";
import { failureSchema } from "./failure.ts";
import { foldFirst } from "./first-fold.ts";
import type { PlacedRecord, RecordData } from "./record.ts";
import { BLOCKED_URLS_FILE } from "./layout.ts";
import { isTerminal, mayChange } from "./lifecycle.ts";
import { HISTORY_LENGTH, type Manifest } from "./manifest.ts";
import type { StepState } from "./step.ts";
import { withReserved, withSettled, withWorked } from "./usage-sums.ts";

/** Changes `manifest` in place by one record that counts. Errors: `INTEGRITY_ERROR` for a change that cannot be. */
export function foldRecord(manifest: Manifest, { record, offset }: PlacedRecord): void {
  manifest.revision = record.seq;
  manifest.updated_at = record.ts;
  manifest.journal = { seq: record.seq, offset, digest: record.digest };
  manifest.epoch = record.epoch;
  switch (record.kind) {
    case "run.created":
      throw new RunError("INTEGRITY_ERROR", { reason: "run.created is twice in the journal", seq: record.seq });
    case "settings.changed":
      manifest.settings = record.data.settings;
      manifest.settings_digest = record.data.settings_digest;
      manifest.limits = record.data.limits;
      return;
    case "state.changed":
      changeState(manifest, record.data, record.ts);
      return;
    case "lease.taken":
      if (record.data.took_over !== undefined) manifest.counters.takeovers++;
      return;
    case "tick.started":
      manifest.tick = {
        ...manifest.tick,
        number: record.data.tick,
        is_open: true,
        started_at: record.ts,
        uptime_ms: record.data.uptime_ms,
        boot_id: record.data.boot_id,
      };
      return;
    case "tick.ended":
      manifest.tick = { ...manifest.tick, is_open: false, worked_ms: record.data.worked_ms };
      manifest.usage = withWorked(manifest.usage, record.data.tick_ms ?? 0);
      return;
    case "stage.planned":
      for (const key of record.data.keys) stepOf(manifest, key, record.data.stage);
      return;
    case "stage.entered":
      manifest.stage = {
        current: record.data.to,
        started_at: record.ts,
        last_progress_at: record.ts,
        history: [...manifest.stage.history, { ...record.data, ts: record.ts }],
      };
      manifest.steps = {};
      if (record.data.folds.some(({ path }) => path === BLOCKED_URLS_FILE)) delete manifest.blocked_urls;
      manifest.tick.worked_ms = 0;
      return;
    case "step.started": {
      const { key, stage, attempt, inputs_digest } = record.data;
      const step = stepOf(manifest, key, stage);
      manifest.steps[key] = {
        stage,
        state: "started",
        attempts: attempt,
        failures_since_resume: step.failures_since_resume,
        inputs_digest,
        started_at: record.ts,
        // A step that was opened again keeps its result until there is a new one. Records of older versions do not say so.
        ...(step.result === undefined || record.data.keeps_result !== true ? {} : { result: step.result }),
      };
      manifest.counters.attempts++;
      return;
    }
    case "step.completed":
      completeStep(manifest, record.data, offset, record.ts);
      manifest.counters.steps_completed++;
      return;
    case "step.adopted":
      completeStep(manifest, record.data, offset, record.ts);
      stepOf(manifest, record.data.key, record.data.stage).adopted_from = record.data.from_run;
      manifest.counters.steps_adopted++;
      return;
    case "step.waiting": {
      const { key, stage, inputs_digest, name, prompt } = record.data;
      const waits_for = { name, prompt, since: record.ts };
      manifest.steps[key] = { ...stepOf(manifest, key, stage), state: "waiting", inputs_digest, waits_for };
      return;
    }
    case "step.answered": {
      const { key, stage } = record.data;
      manifest.steps[key] = { ...withoutWait(stepOf(manifest, key, stage)), state: "started" };
      noteProgress(manifest, record.ts);
      return;
    }
    case "step.failed": {
      const { key, stage, error } = record.data;
      const step = stepOf(manifest, key, stage);
      manifest.steps[key] = {
        ...step,
        state: "failed",
        failures_since_resume: step.failures_since_resume + 1,
        error,
        ended_at: record.ts,
      };
      manifest.counters.attempts_failed++;
      return;
    }
    case "step.reopened": {
      const { key, stage } = record.data;
      const step = withoutWait(stepOf(manifest, key, stage));
      manifest.steps[key] = { ...step, state: "planned", failures_since_resume: 0 };
      return;
    }
    case "source.stored":
      manifest.counters.sources++;
      return;
    case "plan.approved":
      manifest.approved_plan = record.data.result_digest;
      return;
    case "provider.resolved":
      manifest.provenance = [...manifest.provenance, record.data];
      return;
    case "gate.judged": {
      const { gate, status, metrics, reasons } = record.data;
      manifest.gates = { ...manifest.gates, [gate]: { status, checked_at: record.ts, metrics, reasons } };
      return;
    }
    case "halt.raised":
      manifest.halt = record.data.halt;
      return;
    case "halt.cleared":
      manifest.halt = null;
      noteProgress(manifest, record.ts);
      if (record.data.by === "time" || record.data.by === "answer") return;
      for (const [key, step] of Object.entries(manifest.steps)) {
        // Steps that found nothing are done again. All other finished steps stay done.
        const isOpenAgain = record.data.kind === "no_evidence" && step.state === "completed";
        manifest.steps[key] = { ...step, failures_since_resume: 0, ...(isOpenAgain ? { state: "planned" } : {}) };
      }
      return;
    case "request.pause":
    case "request.abort":
    case "request.result":
      manifest.requests_done = [...manifest.requests_done, record.data.request_id].slice(-HISTORY_LENGTH);
      return;
    case "report.published":
      publish(manifest, record.data.report);
      return;
    case "report.selected":
      select(manifest, record.data.version_index);
      return;
    case "manifest.patched":
      addFailures(manifest, record.data.patch["failures"]);
      return;
    case "drift.accepted":
      manifest.accepted_drift = record.digest;
      return;
    case "usage.reserved":
      manifest.usage = withReserved(manifest.usage, record.data);
      return;
    case "usage.settled":
      manifest.usage = withSettled(manifest.usage, record.data);
      return;
    case "message.stored":
      noteProgress(manifest, record.ts);
      return;
    case "url.blocked":
      if (record.data.fold !== undefined) manifest.blocked_urls = record.data.fold;
      return;
    case "engine.answered":
    case "tool.declared":
    case "tool.requested":
    case "tool.completed":
    case "tool.replay_allowed":
    case "unknown":
      return;
    case "damage.met":
      manifest.missing = [
        ...(manifest.missing ?? []).filter((known) => !isAmong(known, record.data.missing)),
        ...record.data.missing,
      ];
      return;
    case "repair.done":
      if (record.data.missing === undefined) delete manifest.missing;
      else manifest.missing = record.data.missing;
      return;
    default:
      unreachable(record, "a record kind without a fold");
  }
}

function isAmong({ path, sha256 }: MissingContent, others: readonly MissingContent[]): boolean {
  return others.some((other) => other.path === path && other.sha256 === sha256);
}

/** The step, added as planned where the manifest does not have it. */
function stepOf(manifest: Manifest, key: string, stage: StepState["stage"]): StepState {
  return (manifest.steps[key] ??= { stage, state: "planned", attempts: 0, failures_since_resume: 0 });
}

function withoutWait({ waits_for: _over, ...step }: StepState): StepState {
  return step;
}

function completeStep(
  manifest: Manifest,
  data: RecordData<"step.completed"> | RecordData<"step.adopted">,
  offset: number,
  ts: string,
): void {
  const { error: _error, ...step } = withoutWait(stepOf(manifest, data.key, data.stage));
  const where = data.content === undefined ? { offset } : { content: data.content };
  manifest.steps[data.key] = {
    ...step,
    state: "completed",
    inputs_digest: data.inputs_digest,
    result: { digest: data.result_digest, ...where },
    ...(data.provenance === undefined ? {} : { provenance: data.provenance }),
    ended_at: ts,
  };
  noteProgress(manifest, ts);
}

function noteProgress(manifest: Manifest, ts: string): void {
  manifest.stage.last_progress_at = ts;
  manifest.tick.worked_ms = 0;
}

function changeState(manifest: Manifest, data: RecordData<"state.changed">, ts: string): void {
  const { from, to, reason } = data;
  if (manifest.execution_state !== from || !mayChange(from, to)) {
    throw new RunError("INTEGRITY_ERROR", {
      reason: "a state change that the table does not allow",
      from,
      to,
      state: manifest.execution_state,
    });
  }
  manifest.execution_state = to;
  manifest.status = to;
  manifest.state_history = [...manifest.state_history, { from, to, ts, reason }].slice(-HISTORY_LENGTH);
  if (data.failure !== undefined) manifest.failures = [...manifest.failures, data.failure];
  if (data.report !== undefined) {
    assert(to === "completed", "only the change to completed publishes a report");
    publish(manifest, data.report);
  }
  if (to !== "running") manifest.tick = { ...manifest.tick, is_open: false };
  if (isTerminal(to)) manifest.ended_at = ts;
}

/** Adds the failures of a patch that are not there yet, so that a patch may be tried twice. */
function addFailures(manifest: Manifest, added: unknown): void {
  if (!Array.isArray(added)) return;
  const known = new Set(manifest.failures.map(digestOfJson));
  for (const value of added) {
    const failure = failureSchema.safeParse(value);
    if (!failure.success || known.has(digestOfJson(failure.data))) continue;
    known.add(digestOfJson(failure.data));
    manifest.failures = [...manifest.failures, failure.data];
  }
}

function publish(manifest: Manifest, report: Manifest["report_versions"][number]): void {
  manifest.report_versions = [...manifest.report_versions, report];
  manifest.current_report_version_index = report.version_index;
}

function select(manifest: Manifest, versionIndex: number): void {
  if (!manifest.report_versions.some(({ version_index }) => version_index === versionIndex)) {
    throw new RunError("INTEGRITY_ERROR", {
      reason: "a report version that was never published",
      version: versionIndex,
    });
  }
  manifest.current_report_version_index = versionIndex;
}

/** Folds a whole journal; null when it holds no record that counts. */
export function foldAll(records: readonly PlacedRecord[]): Manifest | null {
  const [first, ...rest] = records;
  if (first === undefined) return null;
  const manifest = foldFirst(first);
  for (const placed of rest) foldRecord(manifest, placed);
  return manifest;
}
