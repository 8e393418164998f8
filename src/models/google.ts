// Google's Gemini models.
import { createGoogle } from "@ai-sdk/google";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";

export function googleModel(name: string, { baseUrl, key, fetch }: ProviderSettings): ProviderModel {
  const provider = createGoogle({ baseURL: baseUrl, fetch, ...(key === undefined ? {} : { apiKey: key }) });
  return { languageModel: provider.languageModel(name), optionsName: "google" };
}
