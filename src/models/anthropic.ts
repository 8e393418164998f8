// Anthropic's models, over the messages wire.
import { createAnthropic } from "@ai-sdk/anthropic";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";

export function anthropicModel(name: string, { baseUrl, key, fetch }: ProviderSettings): ProviderModel {
  const provider = createAnthropic({ baseURL: baseUrl, fetch, ...(key === undefined ? {} : { apiKey: key }) });
  return { languageModel: provider.languageModel(name), optionsName: "anthropic" };
}
