// Request files: what a process asks of the owner of a run that it may not write itself.
import { z } from "../kernel/schema.ts";
import { timestampSchema } from "./common.ts";

/** A request's name is that of its file. */
export const REQUEST_ID_PATTERN = /^[a-z0-9_-]{1,80}$/;

export const MAX_REASON_LENGTH = 500;

export const requestSchema = z.object({
  schema_version: z.literal("request.v1"),
  request_id: z.string().regex(REQUEST_ID_PATTERN),
  kind: z.enum(["pause", "abort"]),
  reason: z.string().max(MAX_REASON_LENGTH),
  requested_at: timestampSchema,
});
export type Request = z.infer<typeof requestSchema>;
