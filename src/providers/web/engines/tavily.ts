// Tavily: search made for programs; 432 and 433 say that the plan or the budget is used up.
import { z } from "../../../kernel/schema.ts";
import type { GuardedResponse } from "../guarded-fetch.ts";
import { askEngine, type EngineRefusal, type EngineTools, type SearchEngine } from "./engine.ts";

export const TAVILY_URL = "https://api.tavily.com/search";
const MAX_RESULTS = 20;

const answerSchema = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullable().optional() })),
});

export function tavily(key: string, tools: EngineTools, baseUrl = TAVILY_URL): SearchEngine {
  return {
    id: "tavily",
    async search(query, limit, signal) {
      const body = { query, max_results: Math.min(limit, MAX_RESULTS), search_depth: "basic" };
      const headers = { Authorization: `Bearer ${key}` };
      const call = { url: baseUrl, method: "POST", headers, body, refusalOf } as const;
      const answer = await askEngine(tools, call, answerSchema, signal);
      return answer.results.slice(0, limit).map((hit) => ({ url: hit.url, title: hit.title ?? "" }));
    },
  };
}

function refusalOf({ status }: GuardedResponse): EngineRefusal {
  if (status !== 432 && status !== 433) return null;
  return { reason: "quota", detail: `the plan's quota is used up (status ${status})`, untilMs: null };
}
