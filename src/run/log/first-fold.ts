// Folds the first record of a journal into the manifest of a new run.
import { RunError } from "../../kernel/errors.ts";
import { FOLD_VERSION } from "./manifest-text.ts";
import { newGates, type Manifest } from "./manifest.ts";
import type { PlacedRecord } from "./record.ts";
import { NO_USAGE } from "../money/usage.ts";

/** Errors: `INTEGRITY_ERROR` when the record is not `run.created`. */
export function foldFirst({ record, offset }: PlacedRecord): Manifest {
  if (record.kind !== "run.created") {
    throw new RunError("INTEGRITY_ERROR", { reason: "the journal does not begin with run.created", kind: record.kind });
  }
  const { data, ts } = record;
  return {
    schema_version: "manifest.v2",
    fold_version: FOLD_VERSION,
    run_id: data.run_id,
    revision: record.seq,
    created_at: ts,
    updated_at: ts,
    journal: { seq: record.seq, offset, digest: record.digest },
    epoch: record.epoch,
    tool_version: data.tool_version,
    query: data.query,
    mode: data.mode,
    execution_state: "idle",
    status: "idle",
    state_history: [],
    tick: { number: 0, is_open: false, started_at: null, uptime_ms: 0, boot_id: "", worked_ms: 0 },
    stage: { current: "init", started_at: ts, last_progress_at: ts, history: [] },
    gates: newGates(),
    settings: data.settings,
    settings_digest: data.settings_digest,
    limits: data.limits,
    steps: {},
    counters: { steps_completed: 0, steps_adopted: 0, attempts: 0, attempts_failed: 0, sources: 0, takeovers: 0 },
    provenance: [],
    failures: [],
    halt: null,
    usage: NO_USAGE,
    report_versions: [],
    current_report_version_index: null,
    accepted_drift: null,
    ...(data.forked_from === undefined ? {} : { forked_from: data.forked_from }),
    ...(data.follows === undefined ? {} : { follows: data.follows }),
    ...(data.chat_id === undefined ? {} : { chat_id: data.chat_id }),
    requests_done: [],
  };
}
