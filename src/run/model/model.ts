// The schemas of a model, of the place where it is reached, and of what one call of it used.
import { RunError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { z } from "../../kernel/zod.ts";
import { countSchema } from "../common.ts";
import {
  MODEL_PROVIDERS,
  modelProviderSchema,
  modelSettingFields,
  needsBaseUrl,
  readModelSettings,
  settingProblem,
  type ModelProvider,
} from "./model-provider.ts";

const MODEL_NAME_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** `base_url` goes with `compatible` and `rerank` alone, so that no run can send the key of another provider to another endpoint. */
export const modelSchema = z
  .object({
    provider: modelProviderSchema,
    name: z.string().regex(MODEL_NAME_PATTERN),
    base_url: z
      .string()
      .max(2_000)
      .refine((url) => baseUrlProblem(url) === null, { message: "not a plain http or https URL" })
      .optional(),
    ...modelSettingFields,
  })
  .refine((model) => needsBaseUrl(model.provider) === (model.base_url !== undefined), {
    message: "a base URL goes with the providers compatible and rerank, and with no other",
  })
  .refine((model) => settingProblem(model) === null, { message: "a setting that the provider does not take" });
export type Model = z.infer<typeof modelSchema>;

/**
 * `PROVIDER:NAME[,effort=LEVEL][,temperature=N]` as people write it; the name may hold further colons.
 * Errors: `INVALID_ARGS`.
 */
export function parseModel(text: string, baseUrl?: string): Model {
  const colon = text.indexOf(":");
  if (colon < 0) throw refused("a model is written PROVIDER:NAME", "--model", { found: text, known: MODEL_PROVIDERS });
  const [name = "", ...written] = text.slice(colon + 1).split(",");
  const provider = parseProvider(text.slice(0, colon), name);
  if (!MODEL_NAME_PATTERN.test(name)) {
    throw refused("the name of a model is 1 to 200 printable characters without spaces", "--model", { found: text });
  }
  const settings = readModelSettings(provider, written);
  if (provider !== "compatible") {
    if (baseUrl === undefined) return { provider, name, ...settings };
    throw refused("a base URL goes with the provider compatible only", "--model-base-url", { provider });
  }
  if (baseUrl === undefined) {
    throw refused("the provider compatible needs the URL of its endpoint", "--model-base-url", {
      did_you_mean: OLLAMA_URL,
    });
  }
  return { provider, name, base_url: parseBaseUrl(baseUrl, { option: "--model-base-url" }), ...settings };
}

const OLLAMA_URL = "http://localhost:11434/v1";
/** Servers of local models, which people name as if they were providers, and where each answers by itself. */
const LOCAL_SERVERS: ReadonlyMap<string, string> = new Map([
  ["ollama", OLLAMA_URL],
  ["lmstudio", "http://localhost:1234/v1"],
  ["vllm", "http://localhost:8000/v1"],
  ["llamacpp", "http://localhost:8080/v1"],
]);

function parseProvider(word: string, name: string): ModelProvider {
  const provider = MODEL_PROVIDERS.find((known) => known === word);
  if (provider !== undefined) return provider;
  const url = LOCAL_SERVERS.get(word.toLowerCase().replace(/[-._]/g, ""));
  const named = MODEL_NAME_PATTERN.test(name) ? name : "NAME";
  const nearest =
    url === undefined
      ? nearestNames(word, MODEL_PROVIDERS).map((known) => `${known}:${named}`)[0]
      : `compatible:${named} --model-base-url ${url}`;
  throw refused(`"${word}" is no model provider`, "--model", {
    known: MODEL_PROVIDERS,
    ...(nearest === undefined ? {} : { did_you_mean: nearest }),
  });
}

/**
 * Reads a base URL, without a slash at its end. Errors: `INVALID_ARGS`, which does not repeat the URL, since it may hold a
 * password.
 */
export function parseBaseUrl(text: string, from: { option: string } | { variable: string }): string {
  const problem = baseUrlProblem(text);
  if (problem !== null) throw new RunError("INVALID_ARGS", { reason: problem, ...from });
  const { origin, pathname } = new URL(text);
  return (origin + pathname).replace(/\/+$/, "");
}

/** The URL is stored and shown, so a URL with a part that may be secret is refused. */
function baseUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "the base URL is no http or https URL";
  if (url.username !== "" || url.password !== "")
    return "the base URL holds a user or a password: keys come from the environment";
  if (url.search !== "" || url.hash !== "") return "the base URL holds a query or a fragment";
  return null;
}

/** True for an endpoint of this machine: a loopback address, or a name that always means one. */
export function isOnThisMachine(endpoint: string): boolean {
  const host = URL.parse(endpoint)?.hostname ?? "";
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

/** What one call used, as the provider says. Null means that it did not say, which never counts as zero. */
export const usageSchema = z.object({
  /** All, with those from the cache and those written to it. */
  input_tokens: countSchema.nullable(),
  /** All, with reasoning. */
  output_tokens: countSchema.nullable(),
  reasoning_tokens: countSchema.optional(),
  /** Read from the provider's cache. */
  cached_input_tokens: countSchema.optional(),
  /** Written to the provider's cache. Some providers charge more for these. */
  cache_write_tokens: countSchema.optional(),
});
export type Usage = z.infer<typeof usageSchema>;

export const UNKNOWN_USAGE: Usage = { input_tokens: null, output_tokens: null };

/** A tool as it is described to a model. `input_schema` is the JSON Schema of an object. */
export interface ToolDescription {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
}

function refused(reason: string, option: string, facts: Record<string, unknown>): RunError {
  return new RunError("INVALID_ARGS", { reason, option, ...facts });
}
