// The request that one process of this program sends to another over stdin: a verb with its input, and how it is answered.
import { z } from "../kernel/zod.ts";

/** In place of argv: every user of the machine can read a command line, so the request goes over stdin. */
export const REQUEST_ON_STDIN = "__asked";

export const verbRequestSchema = z.object({
  verb: z.string(),
  /** By the name of the field; judged by the fields of the verb. */
  said: z.record(z.string(), z.unknown()),
  /** What holds for every verb: where runs are, and which configuration is read. */
  common: z.object({
    runs_root: z.string().optional(),
    config: z.string().optional(),
    trust_workspace: z.boolean().optional(),
    store: z.string().optional(),
    store_file: z.string().optional(),
    store_schema: z.string().optional(),
  }),
  /** Each event as a line before the answer. */
  has_events: z.boolean(),
  /** How next steps are written: as commands of a shell, or as calls of tools. */
  steps: z.enum(["commands", "calls"]),
});
export type VerbRequest = z.infer<typeof verbRequestSchema>;
