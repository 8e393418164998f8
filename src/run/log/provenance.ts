// Provenance: which providers a run asks for evidence, which one answered, and in whose place.
import { z } from "../../kernel/zod.ts";
import { countSchema, giverIdSchema, providerIdSchema, type GiverId, type ProviderId } from "../common.ts";
import type { Settings } from "../settings/settings.ts";

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

// --- who is queried ------------------------------------------------------------------------------------------------

interface WantedProviders {
  /** The first is queried first, the next one when it fails. */
  ids: [ProviderId, ...ProviderId[]];
  from: Provenance["resolved_from"];
}

/** Those that the run names, else those of the workspace, else those of the user, else filesystem. */
export function wantedProviders({ run, workspace, user = [] }: Settings["providers"]): WantedProviders {
  for (const [from, said] of [["run", run] as const, ["workspace", workspace] as const, ["user", user] as const]) {
    const [first, ...further] = new Set(said);
    if (first !== undefined) return { ids: [first, ...further], from };
  }
  return { ids: ["filesystem"], from: "default" };
}

// --- who answered in place of another ---------------------------------------------------------------------------------

export interface Fallback {
  answered_provider_id: GiverId;
  fallback_from_provider_id: ProviderId;
  /** Why the requested provider did not answer, such as `web: rate_limited`. Empty where no record says it. */
  errors: string[];
  /** How many sources were kept of the answers. */
  source_count: number;
}

/** Each pair of providers once. Counts grow from record to record, so the last record of a pair has the right ones. */
export function fallbacksOf(provenance: readonly Provenance[]): Fallback[] {
  const found = new Map<string, Fallback>();
  for (const { answered_provider_id, fallback_from_provider_id, error, source_count } of provenance) {
    if (answered_provider_id === undefined || fallback_from_provider_id === undefined) continue;
    const pair = `${answered_provider_id} ${fallback_from_provider_id}`;
    const errors = new Set(found.get(pair)?.errors);
    if (error !== undefined) errors.add(error);
    found.set(pair, { answered_provider_id, fallback_from_provider_id, errors: [...errors], source_count });
  }
  return [...found.values()];
}
