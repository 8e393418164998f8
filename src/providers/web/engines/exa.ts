// Queries Exa, which searches by meaning.
import { engineOf, type EngineTools, resultsSchema, type SearchEngine } from "./engine.ts";

export function exa(key: string, tools: EngineTools, url = "https://api.exa.ai/search"): SearchEngine {
  return engineOf(
    "exa",
    tools,
    resultsSchema,
    (query, limit) => ({ url, method: "POST", headers: { "x-api-key": key }, body: { query, numResults: limit } }),
    ({ results }) => results,
  );
}
