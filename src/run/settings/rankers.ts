// The ranker of a run by its names: as people see it, as results of steps depend on it, and as its check is remembered.
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import type { Model } from "../model/model.ts";
import { calledModel, modelName } from "./model-names.ts";
import type { RankSettings } from "./rank.ts";
import type { Settings } from "./settings.ts";

/** The name of what puts passages in order. */
export function rankerName(settings: Pick<Settings, "models" | "rank">): string | undefined {
  const model = settings.rank && calledModel(settings, settings.rank.by === "endpoint" ? "ranker" : "researcher");
  return model && modelName(model);
}

/** What the results of steps depend on. */
export function rankIdentity(rank: RankSettings): object {
  return rank.by === "model"
    ? { by: rank.by, prompt: rank.prompt }
    : { by: rank.by, endpoint: modelName(rank.endpoint) };
}

/** A gate holds for one model, at its server, and one prompt. */
export function rankGateKey(model: Model, prompt: Digest): Digest {
  return digestOfJson({ model: modelName(model), base_url: model.base_url ?? null, prompt });
}
