// Finds the providers that answered in place of another: people have to be told of them.
import type { GiverId, ProviderId } from "./common.ts";
import type { Provenance } from "./provenance.ts";

export interface Fallback {
  answered_provider_id: GiverId;
  fallback_from_provider_id: ProviderId;
  /** Why the one that was meant did not answer: `web: rate_limited`. Empty where nobody wrote it down. */
  errors: string[];
  /** What was kept of the answers. */
  source_count: number;
}

/** Each pair of providers once: counts grow from record to record, so those of the last one hold. */
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
