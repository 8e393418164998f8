// A step: one unit of work inside a stage, done once under a stable key.
import { shortened } from "../../kernel/shortened.ts";
import { z } from "../../kernel/zod.ts";
import { contentRefSchema, countSchema, digestSchema, stepKeySchema, timestampSchema } from "../common.ts";
import { provenanceSchema } from "./provenance.ts";
import { stageSchema } from "../stage.ts";

/** Values up to this many bytes of canonical JSON are in the record itself; larger ones in a content file. */
export const INLINE_LIMIT_BYTES = 4096;

/** Where the result of a step is: in a content file, or in the record that the log keeps at `offset`. */
const resultRefSchema = z.object({
  digest: digestSchema,
  content: contentRefSchema.optional(),
  offset: countSchema.optional(),
});
export type ResultRef = z.infer<typeof resultRefSchema>;

/** What the model reads about this attempt in the next one: which conversation failed, and why. */
export const lessonSchema = z.object({ conversation: z.string().min(1).max(120), text: z.string().min(1).max(1_000) });
export type Lesson = z.infer<typeof lessonSchema>;

export const stepErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  /** The next attempt continues the conversations of this one. Otherwise it begins them anew. */
  goes_on: z.literal(true).optional(),
  /** The server of the model did not answer. */
  unreachable: z.literal(true).optional(),
  /** The step has failed for good, and the run continues without it. */
  left_out: z.literal(true).optional(),
  lesson: lessonSchema.optional(),
});
export type StepError = z.infer<typeof stepErrorSchema>;

/** What a step waits for. `name` is the name of the prompt within the step. */
export const promptFields = { name: z.string().min(1).max(120), prompt: contentRefSchema };

/** Who answered a prompt, as they say of themselves. */
export const answeredBySchema = z.object({
  agent_run_id: z.string().min(1).max(200),
  model: z.string().min(1).max(200).optional(),
  started_at: timestampSchema.optional(),
  finished_at: timestampSchema.optional(),
  usage: z.record(z.string().max(100), z.union([z.number(), z.string().max(200)])).optional(),
});
export type AnsweredBy = z.infer<typeof answeredBySchema>;

const stepStateSchema = z.object({
  stage: stageSchema,
  state: z.enum(["planned", "started", "waiting", "completed", "failed"]),
  /** Attempts that were begun, over the whole life of the run. */
  attempts: countSchema,
  /** Failures since an operator last lifted a halt. The cap counts these, and no attempt that a crash cut off. */
  failures_since_resume: countSchema,
  inputs_digest: digestSchema.optional(),
  result: resultRefSchema.optional(),
  adopted_from: z.string().optional(),
  /** Where the evidence came from, when the step gathered some. */
  provenance: z.array(provenanceSchema).optional(),
  error: stepErrorSchema.optional(),
  waits_for: z.object({ ...promptFields, since: timestampSchema }).optional(),
  started_at: timestampSchema.optional(),
  ended_at: timestampSchema.optional(),
});
export type StepState = z.infer<typeof stepStateSchema>;

/** True when trying again would not help: only a person starts the next attempt. */
export function isGivenUp({ failures_since_resume, error }: StepState): boolean {
  return failures_since_resume > 0 && error?.retryable === false && error.left_out !== true;
}

/** True when the run continues without the step. */
export function hasFailedForGood({ state, error }: StepState): boolean {
  return state === "failed" && error?.left_out === true;
}

const REASON_LENGTH = 300;

/** Why a step failed, for a reader who knows no codes. */
export function reasonOf({ code, message }: Pick<StepError, "code" | "message">): string {
  return shortened(message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message, REASON_LENGTH);
}

export const stepsSchema = z.record(stepKeySchema, stepStateSchema);
export type Steps = z.infer<typeof stepsSchema>;

export const stepFields = { key: stepKeySchema, stage: stageSchema };

/** What a finished step leaves: its value in the record or in `content`, and further files for people. */
export const stepResultFields = {
  ...stepFields,
  inputs_digest: digestSchema,
  result_digest: digestSchema,
  value: z.unknown().optional(),
  content: contentRefSchema.optional(),
  files: z.array(contentRefSchema),
  provenance: z.array(provenanceSchema).optional(),
};

/** A finished step of another run, offered to a fork of it. */
export const stepOfferSchema = z.object({
  ...stepResultFields,
  from_run: z.string(),
  from_seq: countSchema,
  /** The other run had opened the step again. The fork takes over its result, and does it again from there. */
  opened_again: z.literal(true).optional(),
});
export type StepOffer = z.infer<typeof stepOfferSchema>;
