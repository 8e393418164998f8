// Whether the models that are set up answer: where each is reached, where its key comes from, and what it says.
import { RunError } from "../kernel/errors.ts";
import { shortened } from "../kernel/shortened.ts";
import { checkModels } from "../conversations/model-check.ts";
import { helpFor } from "../conversations/model-help.ts";
import { ModelFailure, type Models } from "../ports/model.ts";
import type { Ports } from "../ports/ports.ts";
import { modelName, type Model } from "../run/model.ts";
import { priceOf } from "../run/prices.ts";
import { modelFor, ROLES, type ModelSettings, type Sensitivity } from "../run/settings.ts";
import type { Check } from "./doctor.ts";
import { completeModels } from "./model-settings.ts";
import type { GivenModels } from "./options.ts";
import { tryLongRequest, tryTool, type Finding } from "./try-model.ts";

const NOT_ASKED: Finding = { status: "ok", detail: "not asked" };

export interface TryOptions {
  sensitivity: Sensitivity;
  /** Says what is set up, and opens no connection. */
  isOffline: boolean;
  signal?: AbortSignal;
}

/** One check for each model, whatever roles it has. */
export async function tryModels(
  ports: Pick<Ports, "loadModels" | "prices">,
  given: GivenModels,
  { sensitivity, isOffline, signal = new AbortController().signal }: TryOptions,
): Promise<Check[]> {
  const settings = completeModels(given);
  const models = await ports.loadModels();
  const distinct = new Map(ROLES.map((role) => [JSON.stringify(modelFor(settings, role)), modelFor(settings, role)]));
  const checks: Check[] = [];
  for (const model of distinct.values()) {
    const about = describe(models, model);
    try {
      checkModels(models, { ...settings, default: model, roles: {} }, sensitivity);
      const asked = { models, model, settings, signal, mayUseProxy: sensitivity === "normal" };
      const found = isOffline ? [NOT_ASKED] : [await tryTool(asked, priceOf(model, ...ports.prices))];
      // Hosted models refuse what is too long; a server of one's own may cut it off.
      if (!isOffline && model.provider === "compatible") found.push(await tryLongRequest(asked));
      checks.push(...found.map(({ detail, ...rest }) => ({ name: "model", ...rest, detail: `${about}: ${detail}` })));
    } catch (error) {
      signal.throwIfAborted();
      const next = nextOf(error, model, settings);
      checks.push({ name: "model", status: "problem", detail: `${about}: ${reasonOf(error)}`, next });
    }
  }
  return checks;
}

function describe(models: Models, model: Model): string {
  const { variable, is_set } = models.keyOf(model);
  const key = is_set ? `key from ${variable}` : `no key in ${variable}`;
  return `${modelName(model)} (${endpointOf(models, model)}, ${key})`;
}

function endpointOf(models: Models, model: Model): string {
  try {
    return models.endpointOf(model);
  } catch {
    // What is wrong with it is said by the check itself.
    return "no endpoint";
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ModelFailure) return shortened(error.message, 300);
  if (error instanceof RunError) return shortened(String(error.facts["reason"]), 300);
  throw error;
}

function nextOf(error: unknown, model: Model, settings: ModelSettings): string {
  if (error instanceof ModelFailure)
    return (
      helpFor(error, model, settings) ??
      "see that the endpoint is up and that the base URL ends in its version path, as /v1"
    );
  const { unset_variable: variable } = error instanceof RunError ? error.facts : {};
  return typeof variable === "string" ? `set ${variable} in the environment` : "correct the setting";
}
