// Request files: what a process asks of the owner of a run that it may not write itself.
import { z } from "zod";
import { timestampSchema } from "./common.ts";

export const requestSchema = z.object({
  schema_version: z.literal("request.v1"),
  request_id: z.string().regex(/^[a-z0-9_-]{1,80}$/),
  kind: z.enum(["pause", "abort"]),
  reason: z.string().max(500),
  requested_at: timestampSchema,
});
export type Request = z.infer<typeof requestSchema>;
