// Queries Tavily. Its statuses 432 and 433 mean that the plan or the budget is used up.
import type { GuardedResponse } from "../guarded-fetch.ts";
import type { EngineRefusal } from "./error-body.ts";
import { engineOf, type EngineTools, resultsSchema, type SearchEngine } from "./engine.ts";

const MAX_RESULTS = 20;

export function tavily(key: string, tools: EngineTools, url = "https://api.tavily.com/search"): SearchEngine {
  return engineOf(
    "tavily",
    tools,
    resultsSchema,
    (query, limit) => ({
      url,
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
      body: { query, max_results: Math.min(limit, MAX_RESULTS), search_depth: "basic" },
      refusalOf,
    }),
    ({ results }) => results,
  );
}

function refusalOf({ status }: GuardedResponse): EngineRefusal {
  if (status !== 432 && status !== 433) return null;
  return { reason: "quota", detail: `the quota of the plan is used up (status ${status})`, untilMs: null };
}
