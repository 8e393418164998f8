// Completes the models and budgets that a run is made with, and refuses those with which no call could be made.
import { RunError } from "../../kernel/errors.ts";
import { checkModels } from "../../conversations/model-check.ts";
import type { Ports } from "../../ports/ports.ts";
import { parseWith } from "../../run/common.ts";
import { plainModelName, modelFor } from "../../run/settings/model-names.ts";
import { ROLES } from "../../run/role.ts";
import { priceOf } from "../../run/money/prices.ts";
import {
  budgetsSchema,
  DEFAULT_MODEL_SETTINGS,
  DEFAULT_SETTINGS,
  fittingOutput,
  leavesRoomToAsk,
  modelsSchema,
  type Budgets,
  type ModelSettings,
  type Settings,
} from "../../run/settings/settings.ts";
import { STAGES, type Stage } from "../../run/stage.ts";
import type { Model } from "../../run/model/model.ts";
import type { GivenModels, InitOptions } from "../options.ts";
import { isChosenByModel } from "./rank-settings.ts";

/** Errors: `INVALID_ARGS` for a live run without a model, a missing key, a cost limit without a price. */
export async function modelSettingsOf(
  ports: Pick<Ports, "loadModels" | "prices" | "reranker">,
  {
    driver,
    rank,
    models,
    budgets,
    sensitivity,
  }: Pick<InitOptions, "driver" | "rank" | "models" | "budgets" | "sensitivity">,
): Promise<Pick<Settings, "models" | "budgets">> {
  const isRanking = isChosenByModel({ driver, rank });
  if (driver !== "live" && !isRanking) {
    if (models === undefined && budgets === undefined) return {};
    if (models === undefined && budgets !== undefined && rank === "endpoint") {
      checkBudgets(ports, ports.reranker === undefined ? [] : [ports.reranker], budgets);
      return { budgets };
    }
    const [budget = ""] = Object.keys(budgets ?? {});
    const option = models === undefined ? `--${budget.replaceAll("_", "-")}` : "--model";
    throw new RunError("INVALID_ARGS", {
      reason: `${option} needs ${models === undefined ? "--model" : "--driver live"}`,
      driver,
      option,
    });
  }
  if (models === undefined)
    throw new RunError("INVALID_ARGS", {
      reason: isRanking ? "--rank model needs a model" : "a live run needs a model",
      option: "--model",
    });
  const settings = completeModels(models);
  checkModels(await ports.loadModels(), settings, sensitivity);
  if (budgets === undefined) return { models: settings };
  const rerankers = rank === "endpoint" && ports.reranker !== undefined ? [ports.reranker] : [];
  checkBudgets(ports, [...modelsIn(settings), ...rerankers], budgets);
  return { models: settings, budgets };
}

/** Fits the length of replies to that of requests, unless both are given. Errors: `INVALID_ARGS`. */
export function completeModels(models: GivenModels): ModelSettings {
  const { context_tokens = DEFAULT_MODEL_SETTINGS.context_tokens } = models;
  const max_output_tokens = models.max_output_tokens ?? fittingOutput(context_tokens);
  const complete = { ...DEFAULT_MODEL_SETTINGS, roles: {}, ...models, max_output_tokens };
  const settings = parseWith(modelsSchema, complete, { reason: "a setting of the models is out of range" });
  if (leavesRoomToAsk(settings)) return settings;
  throw new RunError("INVALID_ARGS", {
    reason: `replies of ${max_output_tokens} tokens leave too little of the ${context_tokens} that a request and its reply may hold: at most half`,
    option: "--max-output-tokens",
    did_you_mean: `--context-tokens ${context_tokens} --max-output-tokens ${fittingOutput(context_tokens)}`,
  });
}

/** The settings of a run, with the given ones in their place. Errors: as `completeModels`. */
export function modelsWith(models: ModelSettings, given: Partial<ModelSettings>): ModelSettings {
  const { max_output_tokens, ...kept } = models;
  const { context_tokens = models.context_tokens } = given;
  const fits = given.context_tokens === undefined || leavesRoomToAsk({ max_output_tokens, context_tokens });
  return completeModels({ ...kept, ...(fits ? { max_output_tokens } : {}), ...given });
}

/** Errors: `INVALID_ARGS` when a limit of cost is given for a model without a known price. */
export function checkBudgets({ prices }: Pick<Ports, "prices">, models: readonly Model[], budgets: Budgets): void {
  parseWith(budgetsSchema, budgets, { reason: "a budget is out of range" });
  if (budgets.max_cost_usd === undefined) return;
  for (const model of models) {
    if (priceOf(model, ...prices) !== null) continue;
    throw new RunError("INVALID_ARGS.unknown_price", {
      reason: `what ${plainModelName(model)} costs is not known`,
      model: plainModelName(model),
      option: "--max-cost-usd",
    });
  }
}

/** The models of all roles. */
export function modelsIn(models: ModelSettings): Model[] {
  return ROLES.map((role) => modelFor(models, role));
}

/** Seconds that a stage has for waits and searches, beside its calls. */
const ROOM_S = { byDefault: 600, atLeast: 60 };

/** Gives each stage time for all attempts at a step, so that a model that does not answer fails the step before the run is late. */
export function liveTimeouts(
  timeouts: Settings["timeouts"],
  { call_timeout_s }: Pick<ModelSettings, "call_timeout_s">,
): Settings["timeouts"] {
  const least = DEFAULT_SETTINGS.steps.max_attempts * call_timeout_s + ROOM_S.byDefault;
  const entries = Object.entries(timeouts).map(([stage, seconds]) => [stage, Math.max(seconds, least)]);
  return Object.fromEntries(entries) as Settings["timeouts"];
}

/** Errors: `INVALID_ARGS` for a limit so short that one slow call would end the run for good. */
export function checkTimeouts(
  timeouts: Settings["timeouts"],
  { call_timeout_s }: ModelSettings,
  settingOf: (stage: Stage) => string,
): void {
  const least_s = call_timeout_s + ROOM_S.atLeast;
  const short = STAGES.find((stage) => stage !== "init" && stage !== "finalize" && timeouts[stage] < least_s);
  if (short === undefined) return;
  throw new RunError("INVALID_ARGS", {
    reason: `${settingOf(short)} is ${timeouts[short]} s: too short beside models.call_timeout_s, ${call_timeout_s} s for one call; give it ${least_s} s at least`,
    stage: short,
    least_s,
  });
}
