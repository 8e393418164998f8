// The records of the journal: every kind, what it carries, and its place in the chain.
import { z } from "../kernel/schema.ts";
import type { Digest } from "../kernel/digest.ts";
import {
  contentRefSchema,
  type ContentRef,
  countSchema,
  digestSchema,
  missingContentSchema,
  runIdSchema,
  stepKeySchema,
  timestampSchema,
} from "./common.ts";
import { blockedUrlSchema } from "./blocked-urls.ts";
import { messageSchema } from "./conversation.ts";
import { gateVerdictSchema } from "./gate.ts";
import { haltSchema } from "./halt.ts";
import { executionStateSchema } from "./lifecycle.ts";
import { provenanceSchema } from "./provenance.ts";
import { reportVersionSchema } from "./report.ts";
import { usageSchema as modelUsageSchema } from "./model.ts";
import { limitsSchema, modeSchema, querySchema, settingsSchema } from "./settings.ts";
import { engineAnswerSchema } from "./engine-answer.ts";
import { sourceSchema } from "./source.ts";
import { stageSchema } from "./stage.ts";
import { answeredBySchema, promptFields, stepErrorSchema, stepResultFields } from "./step.ts";

export const failureSchema = z.object({
  kind: z.string().min(1),
  stage: stageSchema,
  message: z.string(),
  retryable: z.boolean(),
  ts: timestampSchema,
  details: z.record(z.string(), z.unknown()),
});
export type Failure = z.infer<typeof failureSchema>;

/** A conversation belongs to one step with one set of inputs: changed inputs begin a new one. */
const conversationFields = {
  key: stepKeySchema,
  stage: stageSchema,
  inputs_digest: digestSchema,
  /** Which of the step's conversations, e.g. `main`. */
  conversation: z.string().min(1).max(120),
};

/** A call of a tool: the assistant message that asked, and its id there. */
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

/** `server` is the name in the user's settings; no tool of another kind declares anything. */
const toolDeclarationSchema = z.object({
  server: z.string().min(1).max(40),
  tool: z.string().min(1).max(200),
  only_reads: z.boolean(),
});
export type ToolDeclaration = z.infer<typeof toolDeclarationSchema>;

// Built when a record of the kind is first met: a program that only looks meets few of them.
const DATA_SCHEMAS = {
  "run.created": () =>
    z.object({
      schema_version: z.literal("journal.v1"),
      run_id: runIdSchema,
      tool_version: z.string(),
      query: querySchema,
      mode: modeSchema,
      settings: settingsSchema,
      settings_digest: digestSchema,
      limits: limitsSchema,
      forked_from: forkedFromSchema.optional(),
    }),
  "settings.changed": () =>
    z.object({ settings: settingsSchema, settings_digest: digestSchema, limits: limitsSchema, reason: z.string() }),
  "state.changed": () =>
    z.object({
      from: executionStateSchema,
      to: executionStateSchema,
      reason: z.string(),
      failure: failureSchema.optional(),
      /** Only on the change to `completed`: the report version that the same record publishes. */
      report: reportVersionSchema.optional(),
      report_files: z.array(contentRefSchema).optional(),
    }),
  "lease.taken": () =>
    z.object({
      owner_id: z.string(),
      pid: z.number().int(),
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
  "stage.entered": () =>
    z.object({
      from: stageSchema,
      to: stageSchema,
      reason: z.string(),
      inputs_digest: digestSchema,
      gates_revision: countSchema,
      /** The folds that the stage that was left leaves behind. */
      folds: z.array(contentRefSchema),
    }),
  "step.started": () =>
    z.object({
      key: stepKeySchema,
      stage: stageSchema,
      attempt: z.number().int().min(1),
      inputs_digest: digestSchema,
      /** It was opened again: what it had stands until there is more. */
      keeps_result: z.literal(true).optional(),
    }),
  "step.completed": () => z.object({ ...stepResultFields, attempt: z.number().int().min(1) }),
  "step.failed": () =>
    z.object({ key: stepKeySchema, stage: stageSchema, attempt: z.number().int().min(1), error: stepErrorSchema }),
  /** The step goes on once somebody outside has answered this prompt. */
  "step.waiting": () =>
    z.object({ key: stepKeySchema, stage: stageSchema, inputs_digest: digestSchema, ...promptFields }),
  /** An answer that was found fit. A finished step that is done again asks anew. */
  "step.answered": () =>
    z.object({
      key: stepKeySchema,
      stage: stageSchema,
      inputs_digest: digestSchema,
      /** Of the prompt. */
      name: promptFields.name,
      prompt_digest: digestSchema,
      answer: contentRefSchema,
      by: answeredBySchema,
    }),
  /** A finished step is done again, or one that was given up is tried again, because somebody asked for it. */
  "step.reopened": () => z.object({ key: stepKeySchema, stage: stageSchema, reason: z.string() }),
  "step.adopted": () => z.object({ ...stepResultFields, from_run: runIdSchema, from_seq: countSchema }),
  "source.stored": () => z.object({ source: sourceSchema, files: z.array(contentRefSchema) }),
  /** A page, a search engine or a server that gave nothing, and why. `fold`: the list of all so far, of the last of a commit. */
  "url.blocked": () => blockedUrlSchema.extend({ fold: contentRefSchema.optional() }),
  /** The pages that a search engine named: the run asks it no second time, and what it was asked counts for all processes. */
  "engine.answered": () => engineAnswerSchema,
  /** A person goes on with this plan. */
  "plan.approved": () => z.object({ result_digest: digestSchema, reason: z.string() }),
  "provider.resolved": () => provenanceSchema,
  /** What a tool of an MCP server says of itself: when it is first asked, and when it says later that it does more than read. */
  "tool.declared": () => toolDeclarationSchema,
  "gate.judged": () => gateVerdictSchema,
  "halt.raised": () => z.object({ halt: haltSchema }),
  /** `by` time alone: then failed steps stay as they are, for a person to ask for. */
  "halt.cleared": () =>
    z.object({ kind: z.string(), reason: z.string(), by: z.enum(["person", "time", "answer"]).optional() }),
  "request.pause": () => z.object({ request_id: z.string(), reason: z.string(), requested_at: timestampSchema }),
  "request.abort": () => z.object({ request_id: z.string(), reason: z.string(), requested_at: timestampSchema }),
  /** An answer that was handed to its owner. `problems`: why it is refused. */
  "request.result": () =>
    z.object({
      request_id: z.string(),
      reason: z.string(),
      requested_at: timestampSchema,
      step: stepKeySchema,
      outcome: z.enum(["taken", "already", "refused"]),
      problems: z.array(z.string()).optional(),
    }),
  /** Large messages stand in `content`. `repaired`: a result that was stored after its conversation had been cut off. */
  "message.stored": () =>
    z.object({
      ...conversationFields,
      message_id: countSchema,
      role: z.enum(["system", "user", "assistant", "tool"]),
      message: messageSchema.optional(),
      content: contentRefSchema.optional(),
      repaired: z.enum(["backfilled", "replayed"]).optional(),
    }),
  /** Durable before the tool runs; `attempt` 2 is the one replay that a safe tool may have. */
  "tool.requested": () =>
    z.object({
      ...toolCallFields,
      is_safe: z.boolean(),
      attempt: z.number().int().min(1),
      arguments_digest: digestSchema,
    }),
  /** What the tool brought; `not_done`: it did nothing and may be asked again; `assumed_done`: a person said so. */
  "tool.completed": () =>
    z.object({
      ...toolCallFields,
      outcome: z.enum(["done", "failed", "not_done", "assumed_done"]),
      value: z.string().optional(),
      content: contentRefSchema.optional(),
      /** For the driver; what a model is told stands in the value or the content. */
      state: z.unknown().optional(),
    }),
  /** A person lets a call whose outcome is unknown run once more. */
  "tool.replay_allowed": () => toolCallPlaceSchema,
  "usage.reserved": () =>
    z.object({
      reservation_id: z.string().min(1).max(300),
      key: stepKeySchema,
      stage: stageSchema,
      role: z.string(),
      model: z.string(),
      tokens: countSchema,
      /** Null: the price is not known. */
      cost_usd: z.number().min(0).nullable(),
    }),
  /** `lost`: cut off, and charged as reserved, since it may have been answered. */
  "usage.settled": () =>
    z.object({
      reservation_id: z.string().min(1).max(300),
      key: stepKeySchema,
      stage: stageSchema,
      outcome: z.enum(["answered", "failed", "lost"]),
      reserved: z.object({ tokens: countSchema, cost_usd: z.number().min(0).nullable() }),
      usage: modelUsageSchema.nullable(),
      tokens: countSchema,
      cost_usd: z.number().min(0).nullable(),
      /** The provider did not say what was used: the most that it can have been. */
      is_estimate: z.literal(true).optional(),
      /** The most tokens that the request can have had, where what the provider counted says how far that is from the truth. */
      input_bound: countSchema.optional(),
      /** What the server of the model refused of the request, or did not heed: from then on the run asks without it. */
      refused: z.enum(["length", "json_schema", "forced_call"]).optional(),
    }),
  "report.published": () =>
    z.object({ report: reportVersionSchema, count: z.number().int().min(1), report_files: z.array(contentRefSchema) }),
  "report.selected": () => z.object({ version_index: z.number().int().min(1) }),
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
      /** Lost messages that nothing needs any more; a later record may name the same content again. */
      given_up: z.array(z.string()).optional(),
      /** What cannot be made again; absent when nothing is missing. */
      missing: z.array(missingContentSchema).optional(),
    }),
} satisfies Record<string, () => z.ZodType>;

export type RecordKind = keyof typeof DATA_SCHEMAS;
export type RecordData<K extends RecordKind> = z.infer<ReturnType<(typeof DATA_SCHEMAS)[K]>>;

export const RECORD_KINDS = Object.keys(DATA_SCHEMAS) as RecordKind[];

const built = new Map<RecordKind, z.ZodType>();

/** The schema of what a record of this kind carries. */
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

/** A record that is still to be appended: what happened, without its place in the chain. */
export type RecordDraft = { [K in RecordKind]: { kind: K; data: RecordData<K> } }[RecordKind];
/** What a run is made with. */
export type FirstDrafts = [{ kind: "run.created"; data: RecordData<"run.created"> }, ...RecordDraft[]];

export interface RecordPlace {
  seq: number;
  ts: string;
  epoch: number;
  prev: Digest | null;
  digest: Digest;
}
export type JournalRecord = { [K in RecordKind]: RecordPlace & { kind: K; data: RecordData<K> } }[RecordKind];

/** A record of a kind that this version does not know: it counts, and changes nothing here. */
export type UnknownRecord = RecordPlace & { kind: "unknown"; data: unknown };
export type AnyRecord = JournalRecord | UnknownRecord;

/** A record with the place where its log keeps it: in a file, bytes from its start up to just behind the line feed. */
export interface PlacedRecord {
  record: AnyRecord;
  offset: number;
  end: number;
}

/** The content files that a record names. */
export function contentNamedBy(record: AnyRecord): readonly ContentRef[] {
  switch (record.kind) {
    case "run.created":
      return [record.data.forked_from?.offers, record.data.settings.bundle?.content].flatMap((ref) => ref ?? []);
    case "step.completed":
    case "step.adopted":
      return record.data.content === undefined ? record.data.files : [record.data.content, ...record.data.files];
    case "step.waiting":
      return [record.data.prompt];
    case "step.answered":
      return [record.data.answer];
    case "source.stored":
      return record.data.files;
    case "message.stored":
    case "tool.completed":
      return record.data.content === undefined ? [] : [record.data.content];
    case "state.changed":
      return record.data.report_files ?? [];
    case "report.published":
      return record.data.report_files;
    default:
      return [];
  }
}

/** Every content file that the records name, each once, but for what a repair gave up since. */
export function namedContent(records: readonly AnyRecord[]): ContentRef[] {
  const named = new Map<string, ContentRef>();
  for (const record of records) {
    for (const ref of contentNamedBy(record)) named.set(ref.path, ref);
    if (record.kind === "repair.done") for (const path of record.data.given_up ?? []) named.delete(path);
  }
  return [...named.values()];
}
