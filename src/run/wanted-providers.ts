// Which providers a run asks, in which order, and who said so.
import type { ProviderId } from "./common.ts";
import type { Provenance } from "./provenance.ts";
import type { Settings } from "./settings.ts";

export interface WantedProviders {
  /** The first is asked first, the next one when it fails. */
  ids: [ProviderId, ...ProviderId[]];
  from: Provenance["resolved_from"];
}

/** What the run says, else what the workspace says, else filesystem. */
export function wantedProviders({ run, workspace }: Settings["providers"]): WantedProviders {
  const [ofRun, ...furtherOfRun] = new Set(run);
  if (ofRun !== undefined) return { ids: [ofRun, ...furtherOfRun], from: "run" };
  const [ofWorkspace, ...furtherOfWorkspace] = new Set(workspace);
  if (ofWorkspace !== undefined) return { ids: [ofWorkspace, ...furtherOfWorkspace], from: "workspace" };
  return { ids: ["filesystem"], from: "default" };
}
