// Any endpoint that speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, gateways.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";

export function compatibleModel(name: string, { baseUrl, key, fetch }: ProviderSettings): ProviderModel {
  const provider = createOpenAICompatible({
    name: "compatible",
    baseURL: baseUrl,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return { languageModel: provider.languageModel(name), optionsName: "compatible" };
}
