// Picks, of several failures, the one after which a run can continue soonest.
import { assert } from "../kernel/assert.ts";
import type { ProviderFailure } from "../ports/provider-failure.ts";

/** The failure with the earliest time to try again, else the first that may pass, else the first. */
export function mostHopeful(failures: readonly ProviderFailure[]): ProviderFailure {
  const [first] = failures.toSorted((left, right) => hopeOf(left).localeCompare(hopeOf(right)));
  assert(first !== undefined, "something failed");
  return first;
}

function hopeOf({ failure, isPassing }: ProviderFailure): string {
  if (failure.retry_at !== undefined) return `0 ${failure.retry_at}`;
  return isPassing ? "1" : "2";
}
