// Drafts of a small run, as plain data: what the tests of the stores append.
import { canonicalJson } from "../../src/kernel/canonical-json.ts";
import { digestOfBytes, digestOfJson, hexOf } from "../../src/kernel/digest.ts";
import type { CommitOptions, RunWriter } from "../../src/ports/run-log.ts";
import type { ContentRef } from "../../src/run/common.ts";
import { foldAll } from "../../src/run/log/fold.ts";
import type { AnyRecord, FirstDrafts, RecordDraft } from "../../src/run/log/record.ts";
import { resultFile } from "../../src/run/log/layout.ts";
import type { ExecutionState } from "../../src/run/log/lifecycle.ts";
import type { Request } from "../../src/run/log/request.ts";
import { NO_USAGE } from "../../src/run/money/usage.ts";
import { DEFAULT_SETTINGS, LIMITS_BY_MODE, settingsDigest, type Settings } from "../../src/run/settings/settings.ts";
import { foldRef, foldsOnLeaving } from "../../src/run/log/stage-folds.ts";
import type { Stage } from "../../src/run/stage.ts";

export const SETTINGS: Settings = {
  driver: "local",
  providers: { run: [], workspace: [] },
  corpora: [],
  ...DEFAULT_SETTINGS,
};

export function runCreated(runId = "dr_sample"): FirstDrafts[0] {
  return {
    kind: "run.created",
    data: {
      schema_version: "journal.v1",
      run_id: runId,
      tool_version: "0.0.0",
      query: { text: "What is asked?", sensitivity: "normal" },
      mode: "quick",
      settings: SETTINGS,
      settings_digest: settingsDigest(SETTINGS),
      limits: LIMITS_BY_MODE.quick,
    },
  };
}

export function stateChanged(from: ExecutionState, to: ExecutionState): RecordDraft {
  return { kind: "state.changed", data: { from, to, reason: "a test" } };
}

export function tickStarted(tick = 1): RecordDraft {
  return { kind: "tick.started", data: { tick, tool_version: "0.0.0", uptime_ms: 1, boot_id: "boot-1" } };
}

export function tickEnded(tick = 1): RecordDraft {
  return { kind: "tick.ended", data: { tick, stopped_by: "max_steps", worked_ms: 5 } };
}

/** `retry_at`: time alone ends it. */
export function haltRaised(kind: "gate_blocked" | "quota", retry_at?: string): RecordDraft {
  const halt = {
    schema_version: "halt.v1" as const,
    created_at: "2025-01-01T00:00:00.000Z",
    run_id: "dr_sample",
    manifest_path: "manifest.json",
    stage: "init" as const,
    last_step: null,
    last_good_checkpoint: { seq: 1, digest: digestOfJson("checkpoint") },
    usage: NO_USAGE,
    next_commands: ["deep-research resume"],
    kind,
    details: { reason: "a test" },
    ...(retry_at === undefined ? {} : { retry_at: retry_at }),
  };
  return { kind: "halt.raised", data: { halt } };
}

/** A record that changes nothing but the revision; the note tells one from another. */
export function noted(note: string): RecordDraft {
  return {
    kind: "manifest.patched",
    data: { patch: { note }, patch_digest: digestOfJson(note.length), reason: "a test" },
  };
}

export function planned(stage: Stage, ...keys: string[]): RecordDraft {
  return { kind: "stage.planned", data: { stage, keys } };
}

export function stepStarted(stage: Stage, key: string): RecordDraft {
  return { kind: "step.started", data: { key, stage, attempt: 1, inputs_digest: digestOfJson(key) } };
}

/** With `content` the value stands in that file, else in the record. */
export function stepCompleted(stage: Stage, key: string, value: unknown, content?: ContentRef): RecordDraft {
  const place = content === undefined ? { value } : { content };
  const data = {
    key,
    stage,
    attempt: 1,
    inputs_digest: digestOfJson(key),
    result_digest: digestOfJson(value),
    files: [],
    ...place,
  };
  return { kind: "step.completed", data };
}

export function reportPublished(version_index: number): RecordDraft {
  const digest = digestOfJson(version_index);
  const report = {
    version_index,
    created_at: "2025-01-01T00:00:00.000Z",
    trigger_type: "manual" as const,
    partial: false,
    report_file_path: `reports/${version_index}/report.md`,
    digest,
    report_md_digest: digest,
    evidence_digest: digest,
    claims: 0,
    sources: 0,
    usage: { calls: 0, tokens: 0, cost_usd: 0 },
  };
  return { kind: "report.published", data: { report, count: version_index, report_files: [] } };
}

export function reportSelected(version_index: number): RecordDraft {
  return { kind: "report.selected", data: { version_index } };
}

export function contentOf(value: unknown): { path: string; bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(canonicalJson(value));
  return { path: resultFile(digestOfBytes(bytes)), bytes };
}

/** A plan that the schemas of the folds accept: `perspectives.json` is its value as it stands. */
export const PLAN = { perspectives: [{ key: "one", title: "One", questions: ["Why?"] }] };

export function sourceNamed(text: string): { draft: RecordDraft; path: string; bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(text);
  const source_digest = digestOfBytes(bytes);
  const path = `sources/${hexOf(source_digest)}`;
  const source = {
    schema_version: "source.v1" as const,
    source_digest,
    text_digest: source_digest,
    media_type: "text/plain",
    title: "A source",
    origin: "corpus/a.txt",
    provider_id: "filesystem" as const,
    retrieved_at: "2025-01-01T00:00:00.000Z",
    bytes: bytes.byteLength,
  };
  return {
    draft: {
      kind: "source.stored",
      data: { source, files: [{ path, sha256: source_digest, bytes: bytes.byteLength }] },
    },
    path,
    bytes,
  };
}

/** Leaves a stage as the orchestrator does: with the folds that its steps leave behind. */
export async function leaveStage(
  writer: RunWriter,
  from: Stage,
  to: Stage,
  options: CommitOptions = {},
): Promise<void> {
  const { steps } = writer.manifest;
  const folds = await foldsOnLeaving(from, steps, {
    readResult: (key) => writer.readResult(steps[key]?.result ?? { digest: digestOfJson(null) }),
    readBlocked: async () => [],
  });
  const draft: RecordDraft = {
    kind: "stage.entered",
    data: {
      from,
      to,
      reason: "a test",
      inputs_digest: digestOfJson(from),
      gates_revision: writer.manifest.revision,
      folds: folds.map(foldRef),
    },
  };
  await writer.commit([draft], { ...options, folds });
}

export function pauseRequest(requestId = "req-1"): Request {
  return {
    schema_version: "request.v1",
    request_id: requestId,
    kind: "pause",
    reason: "a test",
    requested_at: "2025-01-01T00:00:00.000Z",
  };
}

/** An answer with these bytes: the first are the answer, the others documents. */
export function resultRequest(parts: readonly Uint8Array[], requestId = "req-1"): Request {
  const [answer, ...sources] = parts.map((bytes) => ({ sha256: digestOfBytes(bytes), bytes: bytes.byteLength }));
  if (answer === undefined) throw new Error("an answer has bytes");
  return {
    schema_version: "request.result.v1",
    request_id: requestId,
    kind: "result",
    reason: "a test",
    requested_at: "2025-01-01T00:00:00.000Z",
    step: "wave1:overview",
    by: { agent_run_id: "agent-1" },
    replaces: false,
    answer,
    sources: sources.map((part, at) => ({ name: `notes-${at}.md`, ...part })),
  };
}

/** The state that records fold to, as text. Where a log keeps them is its own affair, and left out. */
export function foldedText(records: readonly AnyRecord[]): string {
  return withoutPlaces(foldAll(records.map((record) => ({ record, offset: 0, end: 0 }))));
}

/** A manifest as text, without the places of records. */
export function withoutPlaces(manifest: unknown): string {
  return canonicalJson(manifest).replaceAll(/"offset":\d+,?/g, "");
}
