// The prices of models that come with the program.
import type { Prices } from "./prices.ts";

/**
 * List prices of the providers' own endpoints, for requests of ordinary length and priority. The list is short on purpose:
 * the price of any other model, or of one whose price depends on the length of a request, is unknown until a user gives it.
 */
export const BUILT_IN_PRICES: Prices = {
  schema_version: "prices.v1",
  as_of: "2025-12-01",
  models: [
    { provider: "openai", name: "gpt-5", input: 1.25, cached_input: 0.125, output: 10 },
    { provider: "openai", name: "gpt-5-mini", input: 0.25, cached_input: 0.025, output: 2 },
    { provider: "openai", name: "gpt-5-nano", input: 0.05, cached_input: 0.005, output: 0.4 },
    { provider: "openai", name: "gpt-4.1", input: 2, cached_input: 0.5, output: 8 },
    { provider: "openai", name: "gpt-4.1-mini", input: 0.4, cached_input: 0.1, output: 1.6 },
    { provider: "openai", name: "gpt-4o", input: 2.5, cached_input: 1.25, output: 10 },
    { provider: "openai", name: "gpt-4o-mini", input: 0.15, cached_input: 0.075, output: 0.6 },
    { provider: "anthropic", name: "claude-opus-4-5", input: 5, cached_input: 0.5, output: 25 },
    { provider: "anthropic", name: "claude-opus-4-1", input: 15, cached_input: 1.5, output: 75 },
    { provider: "anthropic", name: "claude-haiku-4-5", input: 1, cached_input: 0.1, output: 5 },
  ],
};
