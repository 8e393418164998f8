// Queries Brave Search. Small plans have one query a second, and each plan a quota for the month.
import { z } from "../../../kernel/zod.ts";
import type { GuardedResponse } from "../guarded-fetch.ts";
import type { EngineRefusal } from "./error-body.ts";
import { engineOf, type EngineTools, hitsSchema, type SearchEngine } from "./engine.ts";

const MAX_COUNT = 20;

/** `web` is missing when nothing was found. */
const answerSchema = z.object({ web: z.object({ results: hitsSchema }).optional() });

export function brave(
  key: string,
  tools: EngineTools,
  baseUrl = "https://api.search.brave.com/res/v1/web/search",
): SearchEngine {
  return engineOf(
    "brave",
    tools,
    answerSchema,
    (query, limit) => {
      const url = new URL(baseUrl);
      // Brave refuses queries of more than 50 words or 400 characters.
      url.searchParams.set("q", query.split(/\s+/).slice(0, 50).join(" ").slice(0, 400).toWellFormed());
      url.searchParams.set("count", String(Math.min(limit, MAX_COUNT)));
      return { url: url.href, headers: { "X-Subscription-Token": key }, refusalOf };
    },
    ({ web }) => web?.results ?? [],
  );
}

/** `X-RateLimit-Remaining: 0, 12` and `X-RateLimit-Reset: 1, 1419704` (seconds): first for the second, then for the month. */
function refusalOf({ status, headers }: GuardedResponse, nowMs: number): EngineRefusal {
  if (status !== 429) return null;
  const remaining = numbersOf(headers.get("x-ratelimit-remaining"));
  const resets = numbersOf(headers.get("x-ratelimit-reset"));
  const [, month] = remaining;
  if (month === 0)
    return {
      reason: "quota",
      detail: "the quota of the month is used up",
      untilMs: resets[1] === undefined ? null : nowMs + resets[1] * 1_000,
    };
  const [second] = resets;
  if (second === undefined || headers.has("retry-after")) return null;
  return { reason: "rate_limited", detail: "too many queries in one second", untilMs: nowMs + second * 1_000 };
}

function numbersOf(header: string | null): number[] {
  const words = header?.split(",").map((word) => word.trim()) ?? [];
  return words.every((word) => /^\d{1,9}$/.test(word)) ? words.map(Number) : [];
}
