// The endpoint of each provider, and the environment variable that holds its key. Keys come from nowhere else.
import { RunError } from "../kernel/errors.ts";
import { parseBaseUrl, type Model } from "../run/model/model.ts";
import { needsBaseUrl, type ModelProvider } from "../run/model/model-provider.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Of providers that answer where their base URL says, and can do without a key. */
const KEYS_OF_SERVERS = { compatible: "DEEP_RESEARCH_API_KEY", rerank: "DEEP_RESEARCH_RERANK_API_KEY" } as const;
type ServerProvider = keyof typeof KEYS_OF_SERVERS;

interface OwnEndpoint {
  key: string;
  /** Moves the endpoint to a gateway. Only the environment can do so, since the key goes to this URL. */
  baseUrlVariable: string;
  baseUrl: string;
}

const OWN_ENDPOINTS: Record<Exclude<ModelProvider, ServerProvider>, OwnEndpoint> = {
  openai: { key: "OPENAI_API_KEY", baseUrlVariable: "OPENAI_BASE_URL", baseUrl: "https://api.openai.com/v1" },
  anthropic: {
    key: "ANTHROPIC_API_KEY",
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com/v1",
  },
  google: {
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    baseUrlVariable: "GOOGLE_GENERATIVE_AI_BASE_URL",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  },
};

export function keyVariableOf(provider: ModelProvider): string {
  return isServer(provider) ? KEYS_OF_SERVERS[provider] : OWN_ENDPOINTS[provider].key;
}

function isServer(provider: ModelProvider): provider is ServerProvider {
  return needsBaseUrl(provider);
}

/** The base URL that the provider's key goes to. Errors: `INVALID_ARGS`. */
export function endpointOf(model: Model, environment: Environment): string {
  const { provider } = model;
  if (isServer(provider)) {
    if (model.base_url !== undefined) return model.base_url;
    throw new RunError("INVALID_ARGS", { reason: `the provider ${provider} needs the URL of its endpoint` });
  }
  const { baseUrl, baseUrlVariable } = OWN_ENDPOINTS[provider];
  const moved = environment[baseUrlVariable] ?? "";
  return moved === "" ? baseUrl : parseBaseUrl(moved, { variable: baseUrlVariable });
}

/** The key of a provider. A server of one's own can do without one. Errors: `INVALID_ARGS` with the name of the variable. */
export function keyOf(provider: ModelProvider, environment: Environment): string | undefined {
  const variable = keyVariableOf(provider);
  const key = environment[variable] ?? "";
  if (key === "") {
    if (isServer(provider)) return undefined;
    throw new RunError("INVALID_ARGS.unset_variable", {
      reason: `models of ${provider} need a key in the environment variable ${variable}`,
      unset_variable: variable,
    });
  }
  // Sent as a header, such a key would cause an error that repeats the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new RunError("INVALID_ARGS.variable", {
      reason: `the environment variable ${variable} holds a space, a line end or another character that no key has`,
      variable,
    });
  }
  return key;
}

/** Every key that the environment holds, of any provider. */
export function keysIn(environment: Environment): string[] {
  const variables = [...Object.values(KEYS_OF_SERVERS), ...Object.values(OWN_ENDPOINTS).map(({ key }) => key)];
  return variables.map((variable) => environment[variable] ?? "").filter((key) => key !== "");
}
