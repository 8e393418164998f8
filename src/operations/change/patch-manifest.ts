// `manifest_write`: changes a run for another program, through the journal: its state, as the table allows, and failures.
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import { type ErrorFacts, RunError } from "../../kernel/errors.ts";
import { resolvedProvider } from "../../orchestrator/drive.ts";
import { isLeftOpen, ownerGone } from "../../orchestrator/left-open.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { parseWith } from "../../run/common.ts";
import { type ExecutionState, executionStateSchema, isTerminal, stateChange } from "../../run/log/lifecycle.ts";
import type { RecordDraft } from "../../run/log/record.ts";
import { failureSchema } from "../../run/log/failure.ts";
import { manifestSchema, type Manifest } from "../../run/log/manifest.ts";
import { z } from "../../kernel/zod.ts";
import type { Outcome } from "../outcome.ts";
import { work } from "../work.ts";

export interface PatchOptions {
  patch: Record<string, unknown>;
  /** The revision that the patch was made for. */
  expectedRevision?: number;
  reason: string;
}

export interface PatchResult {
  revision: number;
  patch_digest: Digest;
  execution_state: ExecutionState;
}

const patchSchema = z.object({
  status: executionStateSchema.optional(),
  execution_state: executionStateSchema.optional(),
  failures: z.array(failureSchema).optional(),
});
const MUTABLE: readonly string[] = ["status", "execution_state", "failures"];

/**
 * Errors: `IMMUTABLE_FIELD`, `SCHEMA_VALIDATION_FAILED`, `REVISION_MISMATCH`, `RUN_TERMINAL`, `INVALID_STATE` for a change
 * that the table of states does not have, `LOCK_HELD`.
 */
export async function patchManifest(
  ports: Ports,
  runRoot: string,
  options: PatchOptions,
): Promise<Outcome<PatchResult>> {
  const { patch, expectedRevision, reason } = options;
  const wanted = readPatch(patch);
  const patch_digest = digestOfJson(patch);
  return await work(ports, runRoot, {
    reason,
    isQuiet: true,
    // A refused patch leaves no record.
    judge(run) {
      refuseRevision(run, expectedRevision);
      draftsFor(run.manifest, run.state, wanted, reason);
      return null;
    },
    async act(ownership) {
      const { writer } = ownership;
      const from = isLeftOpen(writer) ? "interrupted" : writer.manifest.execution_state;
      const changes = [...(await ownerGone(ownership)), ...draftsFor(writer.manifest, from, wanted, reason)];
      await writer.commit([{ kind: "manifest.patched", data: { patch, patch_digest, reason } }, ...changes]);
      await writer.foldNow();
      return { revision: writer.manifest.revision, patch_digest, execution_state: writer.manifest.execution_state };
    },
  });
}

/** The state that the patch asks for, if any. */
function readPatch(patch: Record<string, unknown>): ExecutionState | null {
  const facts = { mutable: MUTABLE };
  const fields = Object.keys(patch);
  const known = new Set([...Object.keys(manifestSchema.shape), "digest"]);
  const immutable = fields.filter((field) => known.has(field) && !MUTABLE.includes(field));
  if (immutable.length > 0)
    throw new RunError("IMMUTABLE_FIELD", {
      ...facts,
      reason: "these fields follow from the journal",
      fields: immutable,
    });
  const unknown = fields.filter((field) => !known.has(field));
  if (unknown.length > 0) throw invalid("a manifest has no such fields", { ...facts, fields: unknown });
  if (fields.length === 0) throw invalid("the patch is empty", facts);
  const { status, execution_state } = parseWith(patchSchema, patch, { what: "patch" });
  if (status !== undefined && execution_state !== undefined && status !== execution_state)
    throw invalid("status and execution_state are one value", { status, execution_state });
  return status ?? execution_state ?? null;
}

function invalid(reason: string, facts: ErrorFacts): RunError {
  return new RunError("SCHEMA_VALIDATION_FAILED", { reason, ...facts });
}

/** The caller has read manifest.json, which lags behind the journal where an owner was killed. */
function refuseRevision({ manifest: { revision }, shownRevision }: RunLook, expected: number | undefined): void {
  if (expected === undefined || expected === revision || expected === shownRevision) return;
  throw new RunError("REVISION_MISMATCH", { reason: "the run has moved on", expected_revision: expected, revision });
}

/** The records that bring the run from one state to the wanted one; the same state again is no change. */
function draftsFor(
  manifest: Readonly<Manifest>,
  from: ExecutionState,
  wanted: ExecutionState | null,
  reason: string,
): RecordDraft[] {
  if (isTerminal(from))
    throw new RunError("RUN_TERMINAL", {
      reason: "the run has ended",
      state: from,
      ...(wanted === null ? {} : { wanted }),
    });
  if (wanted === null || wanted === from) return [];
  if (wanted === "completed") {
    throw new RunError("INVALID_STATE", {
      reason: "only the last stage completes a run, together with its report",
      state: from,
      wanted,
    });
  }
  const begun = from === "idle" && wanted === "running" ? [resolvedProvider(manifest)] : [];
  return [...begun, stateChange(from, wanted, reason)];
}
