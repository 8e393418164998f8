// manifest.v2: the state of a run now. It is the fold of the journal, and nothing else changes it.
import { z } from "../../kernel/zod.ts";
import {
  chatIdSchema,
  contentRefSchema,
  countSchema,
  digestSchema,
  foldedUpToSchema,
  missingContentSchema,
  runIdSchema,
  timestampSchema,
} from "../common.ts";
import { gateIdSchema, gateStateSchema, GATES, type GateId, type GateState } from "./gate.ts";
import { haltSchema } from "./halt.ts";
import { provenanceSchema } from "./provenance.ts";
import { followsSchema, forkedFromSchema, stageEnteredFields } from "./record.ts";
import { failureSchema } from "./failure.ts";
import { executionStateSchema } from "./lifecycle.ts";
import { reportVersionSchema } from "../report/report-version.ts";
import { limitsSchema, modeSchema, querySchema, settingsSchema } from "../settings/settings.ts";
import { stageSchema } from "../stage.ts";
import { stepsSchema } from "./step.ts";
import { usageSchema } from "../money/usage.ts";

/** So many of the last states and requests are kept. */
export const HISTORY_LENGTH = 20;

export const manifestSchema = z.object({
  schema_version: z.literal("manifest.v2"),
  fold_version: z.int().min(1),
  run_id: runIdSchema,
  revision: countSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
  ended_at: timestampSchema.optional(),
  journal: foldedUpToSchema,
  epoch: countSchema,
  tool_version: z.string(),
  query: querySchema,
  mode: modeSchema,
  execution_state: executionStateSchema,
  status: executionStateSchema,
  state_history: z.array(
    z.object({ from: executionStateSchema, to: executionStateSchema, ts: timestampSchema, reason: z.string() }),
  ),
  tick: z.object({
    number: countSchema,
    is_open: z.boolean(),
    started_at: timestampSchema.nullable(),
    uptime_ms: z.number().min(0),
    boot_id: z.string(),
    /** Milliseconds that closed ticks worked since the last progress: the fair clock of the watchdog. */
    worked_ms: z.number().min(0),
  }),
  stage: z.object({
    current: stageSchema,
    started_at: timestampSchema,
    last_progress_at: timestampSchema,
    history: z.array(z.object({ ...stageEnteredFields, ts: timestampSchema })),
  }),
  gates: z.record(gateIdSchema, gateStateSchema),
  settings: settingsSchema,
  settings_digest: digestSchema,
  limits: limitsSchema,
  steps: stepsSchema,
  counters: z.object({
    steps_completed: countSchema,
    steps_adopted: countSchema,
    attempts: countSchema,
    attempts_failed: countSchema,
    sources: countSchema,
    takeovers: countSchema,
  }),
  provenance: z.array(provenanceSchema),
  /** The list of what could not be reached; absent once a finished stage left a newer one. */
  blocked_urls: contentRefSchema.optional(),
  failures: z.array(failureSchema),
  halt: haltSchema.nullable(),
  usage: usageSchema,
  report_versions: z.array(reportVersionSchema),
  current_report_version_index: z.int().min(1).nullable(),
  /** Digest of the record in which a person or the policy last accepted differences. */
  accepted_drift: z.string().nullable(),
  /** Digest of the plan that a person has approved. */
  approved_plan: digestSchema.optional(),
  forked_from: forkedFromSchema.optional(),
  follows: followsSchema.optional(),
  chat_id: chatIdSchema.optional(),
  /** Content that work could not read, or that the last repair could not restore. Read-only commands name it until it is back. */
  missing: z.array(missingContentSchema).optional(),
  requests_done: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

export function newGates(): Record<GateId, GateState> {
  const notRun: GateState = { status: "not_run", checked_at: null, metrics: {}, reasons: [] };
  return Object.fromEntries(GATES.map((gate) => [gate, notRun])) as Record<GateId, GateState>;
}
