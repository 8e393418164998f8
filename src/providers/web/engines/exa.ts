// Exa: search by meaning.
import { z } from "../../../kernel/schema.ts";
import { askEngine, type EngineTools, type SearchEngine } from "./engine.ts";

export const EXA_URL = "https://api.exa.ai/search";

const answerSchema = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullable().optional() })),
});

export function exa(key: string, tools: EngineTools, baseUrl = EXA_URL): SearchEngine {
  return {
    id: "exa",
    async search(query, limit, signal) {
      const call = {
        url: baseUrl,
        method: "POST",
        headers: { "x-api-key": key },
        body: { query, numResults: limit },
      } as const;
      const answer = await askEngine(tools, call, answerSchema, signal);
      return answer.results.slice(0, limit).map((hit) => ({ url: hit.url, title: hit.title ?? "" }));
    },
  };
}
