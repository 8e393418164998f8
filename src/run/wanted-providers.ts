// The providers that a run asks, and who named them.
import type { ProviderId } from "./common.ts";
import type { Provenance } from "./provenance.ts";
import type { Settings } from "./settings.ts";

interface WantedProviders {
  /** The first is asked first. When it fails, the next one is asked. */
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
