// Finds the providers that answered in place of another one, so that people can be told.
import type { GiverId, ProviderId } from "./common.ts";
import type { Provenance } from "./provenance.ts";

export interface Fallback {
  answered_provider_id: GiverId;
  fallback_from_provider_id: ProviderId;
  /** Why the provider that was asked did not answer, such as `web: rate_limited`. Empty where no record says it. */
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
