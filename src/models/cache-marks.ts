// Marks where a server may cache the beginning of a request, so that it costs less in the next request.
import type { ProviderOptions, StreamOptions } from "./sdk.ts";

/**
 * Marks the end of the tools, of the system message and, when the conversation continues, of the whole request. Writing to the
 * cache costs more than sending, and pays only when the same is sent again.
 */
export function withCacheMarks(options: StreamOptions, mark: ProviderOptions, continues: boolean): StreamOptions {
  const { prompt, tools = [] } = options;
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const last = continues ? prompt.length - 1 : system;
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
