// Refuses models that a run cannot call, because a key is missing or their endpoint may not be reached.
import { RunError } from "../kernel/errors.ts";
import type { Models } from "../ports/model.ts";
import type { Ports } from "../ports/ports.ts";
import { isOnThisMachine, type Model } from "../run/model/model.ts";
import { modelName, modelFor } from "../run/settings/model-names.ts";
import { ROLES } from "../run/role.ts";
import type { ModelSettings, Sensitivity } from "../run/settings/settings.ts";

/** Errors: `INVALID_ARGS`, which names the environment variable of a missing key. */
export function checkModels(models: Models, settings: ModelSettings, sensitivity: Sensitivity): void {
  for (const role of ROLES) checkModel(models, modelFor(settings, role), sensitivity, { role });
}

/** Errors: as `checkModels`. */
export function checkModel(models: Models, model: Model, sensitivity: Sensitivity, facts: object = {}): void {
  models.check(model);
  const endpoint = models.endpointOf(model);
  if (sensitivity === "normal" || isOnThisMachine(endpoint) || models.isListed(model)) return;
  throw new RunError("INVALID_ARGS.out_of_reach", {
    reason: `a run with sensitivity ${sensitivity} calls only models that are on this machine or listed in allowed_hosts`,
    model: modelName(model),
    ...facts,
    endpoint,
    option: "--sensitivity",
  });
}

/** The endpoint that ranks. Errors: as `checkModels`, and where none is set up. */
export async function usableReranker(
  { reranker, loadModels }: Pick<Ports, "loadModels" | "reranker">,
  sensitivity: Sensitivity,
): Promise<Model> {
  if (reranker === undefined)
    throw new RunError("INVALID_ARGS.no_reranker", {
      reason: "no endpoint that ranks is set up in the user's own configuration file",
      option: "--rank",
    });
  checkModel(await loadModels(), reranker, sensitivity);
  return reranker;
}
