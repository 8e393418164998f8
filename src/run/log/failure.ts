// A failure of a run, with the stage in which it happened.
import { z } from "../../kernel/zod.ts";
import { timestampSchema } from "../common.ts";
import { stageSchema } from "../stage.ts";

export const failureSchema = z.object({
  kind: z.string().min(1),
  stage: stageSchema,
  message: z.string(),
  retryable: z.boolean(),
  ts: timestampSchema,
  details: z.record(z.string(), z.unknown()),
});
export type Failure = z.infer<typeof failureSchema>;
