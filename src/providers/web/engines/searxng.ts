// Queries SearXNG, a metasearch engine that people run themselves. Its JSON format has to be switched on.
import { z } from "../../../kernel/zod.ts";
import type { GuardedResponse } from "../guarded-fetch.ts";
import { type EngineRefusal, refusalIn } from "./error-body.ts";
import { engineOf, type EngineTools, hitsSchema, type SearchEngine } from "./engine.ts";

const answerSchema = z.object({
  results: hitsSchema,
  /** Pairs of the name of an engine behind it and its error. */
  unresponsive_engines: z.array(z.array(z.unknown())).optional(),
});

export function searxng(baseUrl: string, tools: EngineTools): SearchEngine {
  const place = new URL(baseUrl);
  place.pathname = `${place.pathname.replace(/\/$/, "")}/search`;
  return engineOf(
    "searxng",
    tools,
    answerSchema,
    (query) => {
      const url = new URL(place);
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      return { url: url.href, refusalOf };
    },
    ({ results }) => results,
    ({ unresponsive_engines: silent = [] }, nowMs) => {
      if (silent.length === 0) return null;
      const named = silent.map(described);
      const detail = `none of its engines answered: ${named.join(", ")}`;
      const waits = named.map((words) => refusalIn(words, nowMs)).find((one) => one?.reason === "rate_limited");
      return waits == null ? { reason: "server_failed", detail, untilMs: null } : { ...waits, detail };
    },
  );
}

/** SearXNG answers with 403 when the JSON format is not switched on. */
function refusalOf({ status }: GuardedResponse): EngineRefusal {
  if (status !== 403) return null;
  const detail = "SearXNG refuses; its settings.yml has to list json under search.formats";
  return { reason: "unauthorized", detail, untilMs: null };
}

function described(pair: readonly unknown[]): string {
  return pair
    .filter((word) => typeof word === "string")
    .map((word) => word.slice(0, 60))
    .join(" ");
}
