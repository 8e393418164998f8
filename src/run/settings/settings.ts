// The settings that are frozen when a run is made: its driver, models, documents, limits and policies.
import { given } from "../../kernel/given.ts";
import { z } from "../../kernel/zod.ts";
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import { numberSchema, numberSchemasOf, optionalSchemasOf } from "../../kernel/field-schemas.ts";
import { contentRefSchema, countSchema, digestSchema, providerIdSchema } from "../common.ts";
import {
  BUDGET_FIELDS,
  CALL_FIELDS,
  DRIVER_IDS,
  type JUDGING_FIELDS,
  LIMIT_FIELDS,
  type Mode,
  MODES,
  ON_DRIFT,
  ON_INTERRUPT,
  REPORT_LENGTHS,
  SENSITIVITIES,
} from "./fields.ts";
import { DEFAULT_TIMEOUTS_S, MAX_STAGE_TIMEOUT_S, STAGES, type Stage } from "../stage.ts";
import { MAX_LEASE_S } from "../lease.ts";
import { modelSchema, type Model } from "../model/model.ts";
import { roleSchema } from "../role.ts";
import { rankSettingsSchema } from "./rank.ts";

export const modeSchema = z.enum(MODES);
const sensitivitySchema = z.enum(SENSITIVITIES);
export type Sensitivity = z.infer<typeof sensitivitySchema>;
export const driverIdSchema = z.enum(DRIVER_IDS);
export type DriverId = z.infer<typeof driverIdSchema>;

const corpusFields = {
  name: z.string().min(1).max(120),
  /** Digest over the names and digests of the documents that can be read. */
  digest: digestSchema,
  documents: countSchema,
};
/** Documents that could not be read and folders that were left out, counted by reason. */
const leftOutSchema = z.array(z.object({ reason: z.string().min(1).max(200), count: countSchema }));
export type LeftOut = z.infer<typeof leftOutSchema>;

export const MAX_PARTLY_READ = 20;
/** Documents that are read but for some parts: how many, and those with the most such parts with what is unread, in words. */
const partlyReadSchema = z.object({
  documents: countSchema,
  most: z
    .array(z.object({ document: z.string().min(1).max(2_000), unread: z.string().min(1).max(300) }))
    .max(MAX_PARTLY_READ),
});

/** `path` is absolute. Only the first fields enter a digest, since folders move and files become readable. */
const corpusSettingSchema = z.object({
  ...corpusFields,
  path: z.string().min(1),
  left_out: leftOutSchema.optional(),
  partly_read: partlyReadSchema.optional(),
});
export type CorpusSetting = z.infer<typeof corpusSettingSchema>;

/** A corpus as a report names it. */
export const scopeCorpusSchema = z.object({
  name: z.string(),
  documents: countSchema,
  left_out: leftOutSchema.optional(),
  partly_read: partlyReadSchema.optional(),
});

/** The bundle that a run replays, and what the recorded run was made with, as its report names it. */
const replaySchema = z.object({
  content: contentRefSchema,
  /** Digest of the report.json that the replay publishes as its first version. */
  report_digest: digestSchema,
  driver: driverIdSchema,
  corpora: z.array(scopeCorpusSchema),
  models: z.partialRecord(roleSchema, z.string()).optional(),
  ranked_by: z.string().optional(),
});

const timeoutSchema = z.number().positive().max(MAX_STAGE_TIMEOUT_S);
const timeoutsSchema = z.object(
  Object.fromEntries(STAGES.map((stage) => [stage, timeoutSchema])) as Record<Stage, z.ZodNumber>,
);

export const modelsSchema = z.object({
  default: modelSchema,
  roles: z.partialRecord(roleSchema, modelSchema),
  max_output_tokens: numberSchema(CALL_FIELDS.max_output_tokens),
  /** How much a request may hold. Longer conversations are trimmed. */
  context_tokens: numberSchema(CALL_FIELDS.context_tokens),
  /** The time limit of one call. */
  call_timeout_s: z.number().positive().max(86_400),
  /** Earlier reasoning goes along with later requests. */
  send_reasoning_back: z.boolean(),
});
export type ModelSettings = z.infer<typeof modelsSchema>;
export type CallSettings = Omit<ModelSettings, "default" | "roles">;

export const DEFAULT_MODEL_SETTINGS: CallSettings = {
  max_output_tokens: 8_000,
  context_tokens: 100_000,
  call_timeout_s: 1_200,
  send_reasoning_back: true,
};

/** True when the question may be at least as long as the reply. */
export function leavesRoomToAsk({
  max_output_tokens,
  context_tokens,
}: Pick<ModelSettings, "max_output_tokens" | "context_tokens">): boolean {
  return max_output_tokens * 2 <= context_tokens;
}

/** The default length of replies for requests of this size. */
export function fittingOutput(context_tokens: number): number {
  return Math.min(DEFAULT_MODEL_SETTINGS.max_output_tokens, Math.floor(context_tokens / 4));
}

/** The same models, with those of `compatible` at another URL. */
export function movedModels(models: ModelSettings, base_url: string): ModelSettings {
  const moved = (model: Model): Model => (model.provider === "compatible" ? { ...model, base_url } : model);
  const roles = Object.entries(models.roles).map(([role, model]) => [role, moved(model)]);
  return { ...models, default: moved(models.default), roles: Object.fromEntries(roles) as ModelSettings["roles"] };
}

/** A budget that is absent has no limit. */
export const budgetsSchema = z.object(optionalSchemasOf(BUDGET_FIELDS));
export type Budgets = z.infer<typeof budgetsSchema>;

const reportLengthSchema = z.enum(REPORT_LENGTHS);
export type ReportLength = z.infer<typeof reportLengthSchema>;
const MAX_AUDIENCE_LENGTH = 500;

/** What writers read beside the question. */
const assignmentFields = {
  /** The day of the question, in UTC. A fork keeps it. */
  asked_on: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
  /** Who will read the report. */
  audience: z.string().min(1).max(MAX_AUDIENCE_LENGTH).optional(),
  /** When it is absent, mode and evidence decide. */
  length: reportLengthSchema.optional(),
};
const assignmentSchema = z.object(assignmentFields);
export const instructionSchema = z.string().min(1).max(500);
/** `instruction`: what the asker wishes of one version of the report. */
export type Assignment = z.infer<typeof assignmentSchema> & { instruction?: string };

export function assignmentOf({ asked_on, audience, length }: Assignment): Assignment {
  return given({ asked_on, audience, length });
}

export const settingsSchema = z.object({
  driver: driverIdSchema,
  ...assignmentFields,
  /** The version of the driver when the run was made. Another version is drift, as other documents are. */
  driver_version: z.string().optional(),
  /** The providers by who named them. The command line goes before the workspace's file, which goes before the user's. */
  providers: z.object({
    run: z.array(providerIdSchema),
    workspace: z.array(providerIdSchema),
    user: z.array(providerIdSchema).optional(),
  }),
  corpora: z.array(corpusSettingSchema),
  bundle: replaySchema.optional(),
  models: modelsSchema.optional(),
  /** Absent: the search alone orders passages, or a model that reads them in a live run. */
  rank: rankSettingsSchema.optional(),
  /** The roles that agents or people outside play. */
  role_drivers: z.partialRecord(roleSchema, z.literal("task")).optional(),
  budgets: budgetsSchema.optional(),
  timeouts: timeoutsSchema,
  lease: z.object({
    lease_seconds: z.number().min(1).max(MAX_LEASE_S),
    heartbeat_seconds: z.number().positive(),
    max_consecutive_failures: z.int().min(1),
  }),
  policies: z.object({
    on_interrupt: z.enum(ON_INTERRUPT),
    on_drift: z.enum(ON_DRIFT),
    /** A person approves the plan before anything is searched. */
    approve_plan: z.literal(true).optional(),
  }),
  steps: z.object({
    concurrency: z.int().min(1).max(64),
    max_attempts: z.int().min(1).max(20),
    backoff_ms: z.int().min(0).max(600_000),
  }),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Omit<Settings, "driver" | "providers" | "corpora"> = {
  timeouts: DEFAULT_TIMEOUTS_S,
  lease: { lease_seconds: 120, heartbeat_seconds: 30, max_consecutive_failures: 2 },
  policies: { on_interrupt: "continue", on_drift: "continue" },
  steps: { concurrency: 4, max_attempts: 3, backoff_ms: 250 },
};

export const limitsSchema = z.object(numberSchemasOf(LIMIT_FIELDS));
export type Limits = z.infer<typeof limitsSchema>;

export type JudgingLimits = Pick<Limits, keyof typeof JUDGING_FIELDS>;

/** The limits that a step's result depends on. */
export function workLimits(limits: Limits): Omit<Limits, keyof JudgingLimits> {
  const { max_rounds: _rounds, max_unsupported_share: _share, min_citation_use: _use, ...work } = limits;
  return work;
}

function limitsOf(mode: Mode): Limits {
  return Object.fromEntries(Object.entries(LIMIT_FIELDS).map(([name, { byMode }]) => [name, byMode[mode]])) as Limits;
}

export const LIMITS_BY_MODE: Record<Mode, Limits> = {
  quick: limitsOf("quick"),
  standard: limitsOf("standard"),
  deep: limitsOf("deep"),
};

/** The digest of the settings without the paths of corpora, since folders may move. */
export function settingsDigest(settings: Settings): Digest {
  const corpora = settings.corpora.map(
    ({ path: _path, left_out: _leftOut, partly_read: _partly, ...corpus }) => corpus,
  );
  return digestOfJson({ ...settings, corpora });
}

export const querySchema = z.object({ text: z.string().min(1), sensitivity: sensitivitySchema });
export type Query = z.infer<typeof querySchema>;

export const MAX_QUESTION_BYTES = 16 * 1024;

/** True where a model, or an agent or a person outside, makes the plan. */
export function hasPlanner({ driver, role_drivers }: Pick<Settings, "driver" | "role_drivers">): boolean {
  return driver === "live" || driver === "task" || role_drivers?.planner !== undefined;
}
