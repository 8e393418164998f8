// Request files: a process that may not write a run asks the owner of the run in one.
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema, stepKeySchema, timestampSchema } from "../common.ts";
import type { RecordDraft } from "./record.ts";
import { answeredBySchema, promptFields } from "./step.ts";

/** The id of a request is the name of its file. */
export const REQUEST_ID_PATTERN = /^[a-z0-9_-]{1,80}$/;

export const MAX_REASON_LENGTH = 500;

const requestFields = {
  request_id: z.string().regex(REQUEST_ID_PATTERN),
  reason: z.string().max(MAX_REASON_LENGTH),
  requested_at: timestampSchema,
};

export const stopRequestSchema = z.object({
  schema_version: z.literal("request.v1"),
  ...requestFields,
  kind: z.enum(["pause", "abort"]),
});
export type StopRequest = z.infer<typeof stopRequestSchema>;

/** Bytes in a file beside the request, `requests/<id>.<n>`. */
const partSchema = z.object({ sha256: digestSchema, bytes: countSchema });

/** An answer from outside. Part 0 is the answer, each further part a document that came along. */
export const resultRequestSchema = z.object({
  schema_version: z.literal("request.result.v1"),
  ...requestFields,
  kind: z.literal("result"),
  step: stepKeySchema,
  prompt: promptFields.name.optional(),
  by: answeredBySchema,
  replaces: z.boolean(),
  answer: partSchema,
  sources: z.array(
    partSchema.extend({
      name: z.string().min(1).max(2_000),
      /** The media type of a page as its server gave it. How its text is read depends on it. */
      media_type: z.string().optional(),
      title: z.string().optional(),
    }),
  ),
});
export type ResultRequest = z.infer<typeof resultRequestSchema>;

export const requestSchema = z.discriminatedUnion("schema_version", [stopRequestSchema, resultRequestSchema]);
export type Request = z.infer<typeof requestSchema>;

/** `random` gives at least 6 bytes. */
export function newRequestId(kind: Request["kind"], random: Uint8Array): string {
  return `${kind}-${Buffer.from(random.subarray(0, 6)).toString("hex")}`;
}

export function isStop(request: Request): request is StopRequest {
  return request.kind !== "result";
}

export function isResult(request: Request): request is ResultRequest {
  return request.kind === "result";
}

/** The record that the owner writes once it has done what was requested. */
export function stopRecord({ kind, request_id, reason, requested_at }: StopRequest): RecordDraft {
  return { kind: `request.${kind}`, data: { request_id, reason, requested_at } };
}

/** What became of an answer. `already`: the very same text was taken before. */
export type ResultOutcome = { outcome: "taken" | "already" } | { outcome: "refused"; problems: string[] };

export function resultRecord(
  { request_id, reason, requested_at, step }: ResultRequest,
  became: ResultOutcome,
): RecordDraft {
  return { kind: "request.result", data: { request_id, reason, requested_at, step, ...became } };
}
