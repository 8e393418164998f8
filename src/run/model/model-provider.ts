// The providers of models, and the settings that each takes: effort of thinking, and temperature.
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";

/** Those that may be named for a run. */
export const MODEL_PROVIDERS = ["compatible", "openai", "anthropic", "google"] as const;
/** An endpoint that puts passages in order is a model whose replies are orders. Only the user's own file names one. */
export const modelProviderSchema = z.enum([...MODEL_PROVIDERS, "rerank"]);
export type ModelProvider = z.infer<typeof modelProviderSchema>;

/** Those that answer where their base URL says. */
export function needsBaseUrl(provider: ModelProvider): boolean {
  return provider === "compatible" || provider === "rerank";
}

const EFFORTS = ["none", "minimal", "low", "medium", "high"] as const;
type Effort = (typeof EFFORTS)[number];

/** Where they are absent, the model decides by itself. */
export const modelSettingFields = {
  effort: z.enum(EFFORTS).optional(),
  temperature: z.number().min(0).max(2).optional(),
};

export interface ModelSetting {
  effort?: Effort | undefined;
  temperature?: number | undefined;
}

/** What each provider takes. One of its models may take less; then its server refuses the request. */
const TAKES: Record<ModelProvider, { efforts: readonly Effort[]; mostTemperature: number }> = {
  compatible: { efforts: EFFORTS, mostTemperature: 2 },
  openai: { efforts: EFFORTS, mostTemperature: 2 },
  google: { efforts: EFFORTS, mostTemperature: 2 },
  anthropic: { efforts: ["none", "low", "medium", "high"], mostTemperature: 1 },
  rerank: { efforts: [], mostTemperature: 0 },
};

/** Says which setting the provider does not take; null where it takes all. */
export function settingProblem({
  provider,
  effort,
  temperature,
}: ModelSetting & { provider: ModelProvider }): string | null {
  const { efforts, mostTemperature } = TAKES[provider];
  if (effort !== undefined && !efforts.includes(effort)) return `${provider} takes an effort of ${anyOf(efforts)}`;
  if (temperature !== undefined && temperature > mostTemperature)
    return `${provider} takes a temperature from 0 to ${mostTemperature}`;
  if (provider === "anthropic" && temperature !== undefined && effort !== undefined && effort !== "none")
    return "anthropic takes no temperature for a model that thinks: leave out one of both";
  return null;
}

/** Reads settings such as `effort=low`. Errors: `INVALID_ARGS`, which says what the provider takes. */
export function readModelSettings(provider: ModelProvider, written: readonly string[]): ModelSetting {
  const { efforts, mostTemperature } = TAKES[provider];
  const settings: ModelSetting = {};
  for (const text of written) {
    const [name, value = ""] = text.split("=", 2);
    const effort = EFFORTS.find((level) => level === value);
    const isNumber = /^\d+(\.\d+)?$/.test(value);
    if (name === "effort" && effort !== undefined) settings.effort = effort;
    else if (name === "temperature" && isNumber) settings.temperature = Number(value);
    else {
      const reason = `"${text}" is no setting of a model of ${provider}: effort=${efforts.join("|")}, temperature=0 to ${mostTemperature}`;
      throw new RunError("INVALID_ARGS", { reason, option: "--model" });
    }
  }
  const problem = settingProblem({ provider, ...settings });
  if (problem !== null) throw new RunError("INVALID_ARGS", { reason: problem, option: "--model" });
  return settings;
}
