// Says where a server may keep what a request begins with, so that the next request of the conversation pays less for it.
import type { ProviderOptions, StreamOptions } from "./sdk.ts";

/**
 * Marks end the tools, the system message and, where the conversation goes on, the whole request. One that ends with its
 * answer is not marked as a whole: keeping costs more than sending, and pays only when it is sent again.
 */
export function withCacheMarks(options: StreamOptions, mark: ProviderOptions, goesOn: boolean): StreamOptions {
  const { prompt, tools = [] } = options;
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const last = goesOn ? prompt.length - 1 : system;
  return {
    ...options,
    prompt: prompt.map((message, at) =>
      at === system || at === last ? { ...message, providerOptions: mark } : message,
    ),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, providerOptions: mark } : tool)) }),
  };
}
