// The schema of provenance: which provider was asked for evidence, which one answered, and in whose place.
import { z } from "../kernel/schema.ts";
import { countSchema, giverIdSchema, providerIdSchema } from "./common.ts";

export const provenanceSchema = z.object({
  requested_provider_id: providerIdSchema,
  resolved_provider_id: providerIdSchema,
  resolved_from: z.enum(["run", "workspace", "user", "default"]),
  answered_provider_id: giverIdSchema.optional(),
  fallback_from_provider_id: providerIdSchema.optional(),
  source_count: countSchema,
  quote_count: countSchema,
  error: z.string().optional(),
});
export type Provenance = z.infer<typeof provenanceSchema>;
