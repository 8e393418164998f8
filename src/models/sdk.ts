// The types of the AI SDK's model interface, which all its provider packages share. Nothing is loaded here.
import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";

/** A model of a provider package. Its `doStream` is one HTTP request: it runs no tool and repeats nothing. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["languageModel"]>;
export type StreamOptions = Parameters<LanguageModel["doStream"]>[0];
export type SdkMessage = StreamOptions["prompt"][number];
export type SdkAssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];
export type SdkToolResult = Extract<SdkMessage, { role: "tool" }>["content"][number];

type PartOf<S> = S extends ReadableStream<infer Part> ? Part : never;
export type StreamPart = PartOf<Awaited<ReturnType<LanguageModel["doStream"]>>["stream"]>;
export type SdkUsage = Extract<StreamPart, { type: "finish" }>["usage"];

/** Options that only one provider knows, by its name. */
export type ProviderOptions = NonNullable<StreamOptions["providerOptions"]>;

/** What a provider file needs to make a model. */
export interface ProviderSettings {
  baseUrl: string;
  key: string | undefined;
  fetch: typeof fetch;
}

export interface ProviderModel {
  languageModel: LanguageModel;
  /** The name under which the package reads options of its own. */
  optionsName: string;
  providerOptions?: ProviderOptions;
  /** Marks where a request may be cached; without it, the provider decides. */
  cacheMark?: ProviderOptions;
}
