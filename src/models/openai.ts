// OpenAI's own models, over the responses wire.
import { createOpenAI } from "@ai-sdk/openai";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";

export function openaiModel(name: string, { baseUrl, key, fetch }: ProviderSettings): ProviderModel {
  const provider = createOpenAI({ baseURL: baseUrl, fetch, ...(key === undefined ? {} : { apiKey: key }) });
  return {
    languageModel: provider.responses(name),
    optionsName: "openai",
    // The conversation is kept by the run and nowhere else; reasoning comes encrypted, to be sent back.
    providerOptions: { openai: { store: false } },
  };
}
