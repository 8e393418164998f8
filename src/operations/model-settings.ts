// The models and budgets of a run as they are frozen: completed, and refused where no call could ever be made.
import { RunError } from "../kernel/errors.ts";
import { checkModels } from "../orchestrator/model-check.ts";
import type { Ports } from "../ports/ports.ts";
import { parseWith } from "../run/common.ts";
import { modelName } from "../run/model.ts";
import { priceOf } from "../run/prices.ts";
import {
  budgetsSchema,
  DEFAULT_MODEL_SETTINGS,
  modelFor,
  modelsSchema,
  ROLES,
  type Budgets,
  type ModelSettings,
  type Settings,
} from "../run/settings.ts";
import type { GivenModels, InitOptions } from "./options.ts";

/** Errors: `INVALID_ARGS` for a live run without a model, a missing key, a cost limit without a price. */
export async function modelSettingsOf(
  ports: Ports,
  { driver, models, budgets, sensitivity }: Pick<InitOptions, "driver" | "models" | "budgets" | "sensitivity">,
): Promise<Pick<Settings, "models" | "budgets">> {
  if (driver !== "live") {
    if (models === undefined && budgets === undefined) return {};
    const option = models === undefined ? "--max-cost-usd" : "--model";
    throw new RunError("INVALID_ARGS", { reason: `the driver ${driver} asks no model`, driver, option });
  }
  if (models === undefined)
    throw new RunError("INVALID_ARGS", { reason: "a live run needs a model", option: "--model" });
  const settings = completeModels(models);
  checkModels(await ports.loadModels(), settings, sensitivity);
  if (budgets === undefined) return { models: settings };
  checkBudgets(ports, settings, budgets);
  return { models: settings, budgets };
}

export function completeModels(models: GivenModels): ModelSettings {
  return parseWith(
    modelsSchema,
    { ...DEFAULT_MODEL_SETTINGS, roles: {}, ...models },
    {
      reason: "a setting of the models is out of range",
    },
  );
}

/** Errors: `INVALID_ARGS` when a limit of cost is given for a model whose price nobody knows. */
export function checkBudgets({ prices }: Pick<Ports, "prices">, models: ModelSettings, budgets: Budgets): void {
  parseWith(budgetsSchema, budgets, { reason: "a budget is out of range" });
  if (budgets.max_cost_usd === undefined) return;
  for (const role of ROLES) {
    const model = modelFor(models, role);
    if (priceOf(model, ...prices) !== null) continue;
    throw new RunError("INVALID_ARGS", {
      reason: `what ${modelName(model)} costs is not known: say its price, or limit tokens or calls`,
      model: modelName(model),
      option: "--max-cost-usd",
    });
  }
}

/** Each stage has time for two calls that say nothing until their own limit. */
export function liveTimeouts(timeouts: Settings["timeouts"], { call_timeout_s }: ModelSettings): Settings["timeouts"] {
  const entries = Object.entries(timeouts).map(([stage, seconds]) => [stage, Math.max(seconds, 2 * call_timeout_s)]);
  return Object.fromEntries(entries) as Settings["timeouts"];
}
