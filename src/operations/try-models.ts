// Whether the models that are set up answer: where each is reached, where its key comes from, and one short call.
import { RunError } from "../kernel/errors.ts";
import { shortened } from "../kernel/shortened.ts";
import { checkModels } from "../orchestrator/model-check.ts";
import { helpFor } from "../orchestrator/model-help.ts";
import { ModelFailure, type Models } from "../ports/model.ts";
import type { Ports } from "../ports/ports.ts";
import { modelName, type Model } from "../run/model.ts";
import { costOf, priceOf } from "../run/prices.ts";
import { modelFor, ROLES, type ModelSettings, type Sensitivity } from "../run/settings.ts";
import type { Check } from "./doctor.ts";
import { completeModels } from "./model-settings.ts";
import type { GivenModels } from "./options.ts";

const QUESTION = "Answer with one word: ready.";
/** Without tools no model can do research: an endpoint that refuses them is found out here. */
const TOOL = {
  name: "ready",
  description: "Says that you are ready.",
  input_schema: { type: "object", properties: {} },
};
const MAX_OUTPUT_TOKENS = 16;
const TIMEOUT_MS = 30_000;

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
      const said = isOffline ? "not asked" : await ask(models, model, ports.prices, signal);
      checks.push({ name: "model", status: "ok", detail: `${about}: ${said}` });
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

async function ask(models: Models, model: Model, prices: Ports["prices"], signal: AbortSignal): Promise<string> {
  const messages = [{ role: "user" as const, message_id: 0, content: QUESTION }];
  const request = { model, messages, tools: [TOOL], max_output_tokens: MAX_OUTPUT_TOKENS };
  const price = priceOf(model, ...prices);
  try {
    const { usage, model_id } = await models.call(request, { signal, timeout_ms: TIMEOUT_MS });
    const cost = costOf(usage, price);
    const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
    const used = usage.input_tokens === null ? "tokens not said" : `${tokens} tokens`;
    return `answers as ${model_id}; ${used}, ${cost === null ? "price not known" : `$${Number(cost.toPrecision(2))}`}`;
  } catch (error) {
    // One that thinks first may need more than the few tokens that it has here.
    if (error instanceof ModelFailure && (error.kind === "empty" || error.kind === "reply_too_long"))
      return `answers, and said nothing within ${MAX_OUTPUT_TOKENS} tokens`;
    throw error;
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
