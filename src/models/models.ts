// The models port over the AI SDK's provider packages; each is loaded when its first model is called.
import type { Clock } from "../ports/clock.ts";
import type { Models } from "../ports/model.ts";
import type { Model } from "../run/model/model.ts";
import { callModel } from "./call.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { endpointOf, keyOf, keysIn, keyVariableOf, type Environment } from "./keys.ts";
import { listModels } from "./list-models.ts";
import type { ProviderModel, ProviderSettings } from "./sdk.ts";
import { secretsOf } from "./secrets.ts";

interface ModelsOptions {
  /** Holds the keys. It is read at every call, and nothing of it is kept. */
  environment: Environment;
  clock: Clock;
  maxReplyBytes?: number;
  /** True when the user lists the host of the endpoint; by default none is listed. */
  isListed?: (endpoint: string) => boolean;
}

export function openModels({ environment, clock, maxReplyBytes, isListed = () => false }: ModelsOptions): Models {
  const addressOf = (model: Model): Omit<ProviderSettings, "fetch"> => ({
    baseUrl: endpointOf(model, environment),
    key: keyOf(model.provider, environment),
  });
  return {
    endpointOf: (model) => endpointOf(model, environment),
    keyOf({ provider }) {
      const variable = keyVariableOf(provider);
      return { variable, is_set: (environment[variable] ?? "") !== "" };
    },
    isListed: (model) => isListed(endpointOf(model, environment)),
    check(model) {
      addressOf(model);
    },
    async list(baseUrl, options) {
      const key = keyOf("compatible", environment);
      return await listModels({ baseUrl, key, clock, secrets: secretsOf(keysIn(environment)) }, options);
    },
    async call(request, options) {
      const fetch = guardedFetch({ mayUseProxy: options.mayUseProxy === true, maxReplyBytes });
      const settings = { ...addressOf(request.model), fetch };
      const model = await providerModel(request.model, settings);
      const secrets = secretsOf(keysIn(environment));
      return callModel({ model, endpoint: settings.baseUrl, clock, secrets }, request, options);
    },
  };
}

async function providerModel(model: Model, settings: ProviderSettings): Promise<ProviderModel> {
  const { provider, name } = model;
  const { baseUrl: baseURL, key, fetch } = settings;
  const place = { baseURL, fetch, ...(key === undefined ? {} : { apiKey: key }) };
  switch (provider) {
    case "compatible": {
      // Any endpoint that speaks OpenAI's chat completions: Ollama, LM Studio, vLLM, gateways.
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const made = createOpenAICompatible({
        ...place,
        name: provider,
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
      return { languageModel: made.languageModel(name), optionsName: provider };
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      // The provider stores no conversation, only the run does. So reasoning comes encrypted, to be sent back.
      const providerOptions = { openai: { store: false } };
      return { languageModel: createOpenAI(place).responses(name), optionsName: provider, providerOptions };
    }
    case "anthropic":
      return (await import("./anthropic.ts")).anthropicModel(model, settings);
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return { languageModel: createGoogle(place).languageModel(name), optionsName: provider };
    }
  }
}
