// The records of the journal: their kinds, the data of each kind, and their place in the chain.
import { z } from "../../kernel/zod.ts";
import type { Digest } from "../../kernel/digest.ts";
import {
  chatIdSchema,
  contentRefSchema,
  countSchema,
  digestSchema,
  missingContentSchema,
  runIdSchema,
  stepKeySchema,
  timestampSchema,
} from "../common.ts";
import { blockedUrlSchema } from "../report/blocked-urls.ts";
import { messageSchema } from "../model/conversation.ts";
import { failureSchema } from "./failure.ts";
import { gateVerdictSchema } from "./gate.ts";
import { haltSchema } from "./halt.ts";
import { JOURNAL_VERSIONS } from "./journal-version.ts";
import { executionStateSchema } from "./lifecycle.ts";
import { provenanceSchema } from "./provenance.ts";
import { reportVersionSchema } from "../report/report-version.ts";
import { usageSchema as modelUsageSchema } from "../model/model.ts";
import { instructionSchema, limitsSchema, modeSchema, querySchema, settingsSchema } from "../settings/settings.ts";
import { engineAnswerSchema } from "../report/engine-answer.ts";
import { sourceSchema } from "../report/source.ts";
import { stageSchema } from "../stage.ts";
import { toolDeclarationSchema } from "../model/tool-declaration.ts";
import { answeredBySchema, promptFields, stepErrorSchema, stepFields, stepResultFields } from "./step.ts";

/** A conversation belongs to one step with one set of inputs. Other inputs begin a new one. */
const conversationFields = {
  ...stepFields,
  inputs_digest: digestSchema,
  /** The name of the conversation within the step, such as `main`. */
  conversation: z.string().min(1).max(120),
};

/** A call of a tool: the assistant message that requested it, and the id of the call there. */
const toolCallFields = {
  ...conversationFields,
  message_id: countSchema,
  tool_call_id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
};

export const toolCallPlaceSchema = z.object(toolCallFields);

export const forkedFromSchema = z.object({
  run_id: runIdSchema,
  seq: countSchema,
  digest: digestSchema,
  /** The offers of finished steps, as a content file of the new run; null when the old run had none. */
  offers: contentRefSchema.nullable(),
});

/** The run that the question follows. */
export const followsSchema = z.object({
  run_id: runIdSchema,
  seq: countSchema,
  digest: digestSchema,
  question: z.string().min(1),
  /** What is taken over: evidence.v1, as a content file of the new run. */
  evidence: contentRefSchema,
});

export const stageEnteredFields = {
  from: stageSchema,
  to: stageSchema,
  reason: z.string(),
  inputs_digest: digestSchema,
  gates_revision: countSchema,
  /** The folds that the stage `from` leaves behind. */
  folds: z.array(contentRefSchema),
};

// A schema is built when the first record of its kind is met, since a read-only command meets few kinds.
const DATA_SCHEMAS = {
  "run.created": () =>
    z.object({
      schema_version: z.enum(JOURNAL_VERSIONS),
      run_id: runIdSchema,
      tool_version: z.string(),
      query: querySchema,
      mode: modeSchema,
      settings: settingsSchema,
      settings_digest: digestSchema,
      limits: limitsSchema,
      forked_from: forkedFromSchema.optional(),
      follows: followsSchema.optional(),
      chat_id: chatIdSchema.optional(),
    }),
  "settings.changed": () =>
    z.object({ settings: settingsSchema, settings_digest: digestSchema, limits: limitsSchema, reason: z.string() }),
  "state.changed": () =>
    z.object({
      from: executionStateSchema,
      to: executionStateSchema,
      reason: z.string(),
      failure: failureSchema.optional(),
      /** Only on the change to `completed`: the report version that this record publishes. */
      report: reportVersionSchema.optional(),
      report_files: z.array(contentRefSchema).optional(),
    }),
  "lease.taken": () =>
    z.object({
      owner_id: z.string(),
      pid: z.int(),
      hostname: z.string(),
      reason: z.string().optional(),
      took_over: z.string().optional(),
    }),
  "tick.started": () =>
    z.object({
      tick: countSchema,
      reason: z.string().optional(),
      tool_version: z.string(),
      uptime_ms: z.number().min(0),
      boot_id: z.string(),
    }),
  "tick.ended": () =>
    z.object({
      tick: countSchema,
      stopped_by: z.string(),
      /** Time worked since the last progress, under the lease. */
      worked_ms: z.number().min(0),
      /** Time worked in this tick. */
      tick_ms: z.number().min(0).optional(),
    }),
  "stage.planned": () => z.object({ stage: stageSchema, keys: z.array(stepKeySchema) }),
  "stage.entered": () => z.object(stageEnteredFields),
  "step.started": () =>
    z.object({
      ...stepFields,
      attempt: z.int().min(1),
      inputs_digest: digestSchema,
      /** The step was opened again, and keeps its result until there is a new one. */
      keeps_result: z.literal(true).optional(),
    }),
  "step.completed": () => z.object({ ...stepResultFields, attempt: z.int().min(1) }),
  "step.failed": () => z.object({ ...stepFields, attempt: z.int().min(1), error: stepErrorSchema }),
  /** The step continues once a person or an agent outside has answered this prompt. */
  "step.waiting": () => z.object({ ...stepFields, inputs_digest: digestSchema, ...promptFields }),
  /** An answer that fits. A finished step that is done again asks anew. */
  "step.answered": () =>
    z.object({
      ...stepFields,
      inputs_digest: digestSchema,
      /** The name of the prompt. */
      name: promptFields.name,
      prompt_digest: digestSchema,
      answer: contentRefSchema,
      by: answeredBySchema,
    }),
  /** A request to do a finished step again, or to try again a step that was given up. */
  "step.reopened": () =>
    z.object({
      ...stepFields,
      reason: z.string(),
      /** What a person wishes of the next result. */
      instruction: instructionSchema.optional(),
    }),
  "step.adopted": () => z.object({ ...stepResultFields, from_run: runIdSchema, from_seq: countSchema }),
  "source.stored": () => z.object({ source: sourceSchema, files: z.array(contentRefSchema) }),
  /** A page, search engine or server that gave nothing, and why. The last record of a commit names the `fold` of all so far. */
  "url.blocked": () => blockedUrlSchema.extend({ fold: contentRefSchema.optional() }),
  /** The pages that a search engine named. No process of the run asks the same again, and all of them count the queries. */
  "engine.answered": () => engineAnswerSchema,
  /** A person continues with this plan. */
  "plan.approved": () => z.object({ result_digest: digestSchema, reason: z.string() }),
  "provider.resolved": () => provenanceSchema,
  /** Written when a tool is first called, and again when it says that it does more than read. */
  "tool.declared": () => toolDeclarationSchema,
  "gate.judged": () => gateVerdictSchema,
  "halt.raised": () => z.object({ halt: haltSchema }),
  /** When `by` is `time`, failed steps stay failed until a person asks for them. */
  "halt.cleared": () =>
    z.object({ kind: z.string(), reason: z.string(), by: z.enum(["person", "time", "answer"]).optional() }),
  "request.pause": () => z.object({ request_id: z.string(), reason: z.string(), requested_at: timestampSchema }),
  "request.abort": () => z.object({ request_id: z.string(), reason: z.string(), requested_at: timestampSchema }),
  /** An answer that was submitted to the owner. `problems`: why it is refused. */
  "request.result": () =>
    z.object({
      request_id: z.string(),
      reason: z.string(),
      requested_at: timestampSchema,
      step: stepKeySchema,
      outcome: z.enum(["taken", "already", "refused"]),
      problems: z.array(z.string()).optional(),
    }),
  /** A large message is in `content`. `repaired`: the result was stored after its conversation had been cut off. */
  "message.stored": () =>
    z.object({
      ...conversationFields,
      message_id: countSchema,
      role: z.enum(["system", "user", "assistant", "tool"]),
      message: messageSchema.optional(),
      content: contentRefSchema.optional(),
      repaired: z.enum(["backfilled", "replayed"]).optional(),
    }),
  /** Durable before the tool runs. `attempt` 2 is the one replay that a safe tool may have. */
  "tool.requested": () =>
    z.object({
      ...toolCallFields,
      is_safe: z.boolean(),
      attempt: z.int().min(1),
      arguments_digest: digestSchema,
    }),
  /** `not_done`: the tool did nothing and may be called again. `assumed_done`: a person says that it did its work. */
  "tool.completed": () =>
    z.object({
      ...toolCallFields,
      outcome: z.enum(["done", "failed", "not_done", "assumed_done"]),
      value: z.string().optional(),
      content: contentRefSchema.optional(),
      /** For the driver. A model is given the value or the content. */
      state: z.unknown().optional(),
    }),
  /** A person lets a call whose outcome is unknown run once more. */
  "tool.replay_allowed": () => toolCallPlaceSchema,
  "usage.reserved": () =>
    z.object({
      reservation_id: z.string().min(1).max(300),
      ...stepFields,
      role: z.string(),
      model: z.string(),
      tokens: countSchema,
      /** Null: the price is not known. */
      cost_usd: z.number().min(0).nullable(),
    }),
  /** `lost`: the call was cut off. It may have been answered, so it is charged as reserved. */
  "usage.settled": () =>
    z.object({
      reservation_id: z.string().min(1).max(300),
      ...stepFields,
      outcome: z.enum(["answered", "failed", "lost"]),
      reserved: z.object({ tokens: countSchema, cost_usd: z.number().min(0).nullable() }),
      usage: modelUsageSchema.nullable(),
      tokens: countSchema,
      cost_usd: z.number().min(0).nullable(),
      /** The provider did not say what was used, so this is the most that it can have been. */
      is_estimate: z.literal(true).optional(),
      /** The most tokens that the request can have had, to compare with what the provider counted. */
      input_bound: countSchema.optional(),
      /** What the server of the model refused or ignored in the request. From then on the run asks without it. */
      refused: z.enum(["length", "json_schema", "forced_call"]).optional(),
    }),
  "report.published": () =>
    z.object({ report: reportVersionSchema, count: z.int().min(1), report_files: z.array(contentRefSchema) }),
  "report.selected": () => z.object({ version_index: z.int().min(1) }),
  "manifest.patched": () =>
    z.object({ patch: z.record(z.string(), z.unknown()), patch_digest: digestSchema, reason: z.string() }),
  "drift.accepted": () =>
    z.object({
      differences: z.array(z.object({ what: z.string(), frozen: z.string(), found: z.string() })),
      reason: z.string(),
    }),
  /** Content that work could not read: gone, or with other bytes. */
  "damage.met": () => z.object({ missing: z.array(missingContentSchema).min(1) }),
  "repair.done": () =>
    z.object({
      reason: z.string(),
      quarantined: z.array(z.string()),
      dropped_records: countSchema,
      rebuilt: z.array(z.string()),
      /** Lost messages that nothing needs any more. A later record may name the same content again. */
      given_up: z.array(z.string()).optional(),
      /** What cannot be made again. */
      missing: z.array(missingContentSchema).optional(),
    }),
} satisfies Record<string, () => z.ZodType>;

export type RecordKind = keyof typeof DATA_SCHEMAS;
export type RecordData<K extends RecordKind> = z.infer<ReturnType<(typeof DATA_SCHEMAS)[K]>>;

export const RECORD_KINDS = Object.keys(DATA_SCHEMAS) as RecordKind[];

const built = new Map<RecordKind, z.ZodType>();

export function dataSchemaOf<K extends RecordKind>(kind: K): z.ZodType<RecordData<K>> {
  let schema = built.get(kind);
  if (schema === undefined) {
    schema = DATA_SCHEMAS[kind]();
    built.set(kind, schema);
  }
  return schema as z.ZodType<RecordData<K>>;
}

export function isRecordKind(kind: string): kind is RecordKind {
  return Object.hasOwn(DATA_SCHEMAS, kind);
}

/** A record before it is appended: it has no place in the chain yet. */
export type RecordDraft = { [K in RecordKind]: { kind: K; data: RecordData<K> } }[RecordKind];
export type FirstDrafts = [{ kind: "run.created"; data: RecordData<"run.created"> }, ...RecordDraft[]];

export interface RecordPlace {
  seq: number;
  ts: string;
  epoch: number;
  prev: Digest | null;
  digest: Digest;
}
export type JournalRecord = { [K in RecordKind]: RecordPlace & { kind: K; data: RecordData<K> } }[RecordKind];

/** A record, or one of a kind that this version does not know, which counts and changes nothing. */
export type AnyRecord = JournalRecord | (RecordPlace & { kind: "unknown"; data: unknown });

/** A record with its place in the log: in a file the offsets of its first byte, and of the byte behind its line feed. */
export interface PlacedRecord {
  record: AnyRecord;
  offset: number;
  end: number;
}
