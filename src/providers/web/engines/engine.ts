// Queries a search engine over its JSON interface: the part that all engines share.
import { describeCause } from "../../../kernel/errors.ts";
import { parseStrictJson } from "../../../kernel/strict-json.ts";
import { z } from "../../../kernel/zod.ts";
import { timestamp, type Clock } from "../../../ports/clock.ts";
import { ProviderFailure } from "../../../ports/provider-failure.ts";
import { issuesOf } from "../../../run/common.ts";
import type { SearchEngineId } from "../../../run/settings/provider-settings.ts";
import type { UnreachedReason } from "../../../run/report/blocked-urls.ts";
import type { GuardedFetch, GuardedRequest, GuardedResponse } from "../guarded-fetch.ts";
import { throttled, type HostTurns } from "../host-turns.ts";
import { refusal } from "../reach.ts";
import { errorIn, type EngineRefusal } from "./error-body.ts";

export interface SearchHit {
  url: string;
  title: string;
}

export interface SearchEngine {
  readonly id: SearchEngineId;
  /** The hits, best first; empty when the engine found nothing. Throws a `ProviderFailure` when it gave no answer. */
  search(query: string, limit: number, signal: AbortSignal): Promise<SearchHit[]>;
}

export interface EngineTools {
  fetch: GuardedFetch;
  turns: HostTurns;
  clock: Clock;
}

interface EngineCall {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: unknown;
  /** Finds a refusal in the engine's own form, before the forms that all engines share are tried. */
  refusalOf?: (response: GuardedResponse, nowMs: number) => EngineRefusal;
}

const hitSchema = z.object({ url: z.string(), title: z.string().nullable().optional() });
export const hitsSchema = z.array(hitSchema);
type Hit = z.infer<typeof hitSchema>;

/** The form of the answer of most engines. */
export const resultsSchema = z.object({ results: hitsSchema });

/** Makes an engine from the call for a query and the place of the hits in its answer. */
export function engineOf<T>(
  id: SearchEngineId,
  tools: EngineTools,
  schema: z.ZodType<T>,
  callFor: (query: string, limit: number) => EngineCall,
  hitsIn: (answer: T) => readonly Hit[],
  refusedIn: (answer: T, nowMs: number) => EngineRefusal = () => null,
): SearchEngine {
  return {
    id,
    async search(query, limit, signal) {
      const hits = await askEngine(tools, callFor(query, limit), signal, (response, nowMs) => {
        const value = jsonOf(response);
        const answer = schema.safeParse(value);
        const found = answer.success ? hitsIn(answer.data) : [];
        if (found.length > 0) return found;
        const refused = errorIn(value, nowMs) ?? (answer.success ? refusedIn(answer.data, nowMs) : null);
        if (refused !== null) return refused;
        if (answer.success) return found;
        const [issue] = issuesOf(answer.error);
        const detail = `the search engine's answer at ${issue?.at ?? ""}: ${issue?.message ?? ""}`;
        throw refusal("bad_answer", endpointOf(response.url), detail);
      });
      return hits.slice(0, limit).map(({ url, title }) => ({ url, title: title ?? "" }));
    },
  };
}

const LIMITS = { maxBytes: 4 * 1024 * 1024, beyond: "refuse", totalMs: 30_000, idleMs: 20_000 } as const;

/** Queries the engine in its turn. After a refusal with a time, it is not queried again before that time. */
async function askEngine(
  tools: EngineTools,
  call: EngineCall,
  signal: AbortSignal,
  read: (response: GuardedResponse, nowMs: number) => readonly Hit[] | NonNullable<EngineRefusal>,
): Promise<readonly Hit[]> {
  const host = new URL(call.url).host;
  using _turn = await tools.turns.take(host, signal);
  const response = await tools.fetch(requestOf(call), signal).catch((error: unknown) => {
    throw error instanceof ProviderFailure ? atEndpoint(error) : error;
  });
  const nowMs = tools.clock.nowMs();
  const answered = call.refusalOf?.(response, nowMs) ?? sharedRefusalOf(response, nowMs) ?? read(response, nowMs);
  if (!("reason" in answered)) return answered;
  const failure = failureOf(answered, response);
  if (HOLDING.has(answered.reason)) tools.turns.hold(host, failure, answered.untilMs);
  throw failure;
}

/** Refusals that the next query would meet, too. */
const HOLDING: ReadonlySet<UnreachedReason> = new Set(["rate_limited", "quota", "unauthorized"]);

function requestOf({ url, method = "GET", headers, body }: EngineCall): GuardedRequest {
  return {
    url,
    trust: "configured",
    method,
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    limits: LIMITS,
    readsErrors: true,
  };
}

function sharedRefusalOf(response: GuardedResponse, nowMs: number): EngineRefusal {
  const { status } = response;
  const plea = throttled(response, nowMs);
  if (plea !== null) return { reason: "rate_limited", detail: "the search engine throttles us", untilMs: plea.untilMs };
  if (status === 402) return { reason: "quota", detail: "the search engine wants to be paid", untilMs: null };
  if (status === 401 || status === 403)
    return { reason: "unauthorized", detail: `the search engine refuses us with status ${status}`, untilMs: null };
  if (status >= 200 && status < 300) return null;
  return { reason: "http_status", detail: `the search engine answers with status ${status}`, untilMs: null };
}

function failureOf(
  { reason, detail, untilMs }: NonNullable<EngineRefusal>,
  response: GuardedResponse,
): ProviderFailure {
  return new ProviderFailure({
    reason,
    provider_id: "web",
    url: endpointOf(response.url),
    detail,
    http_status: response.status,
    retry_at: untilMs === null ? undefined : timestamp(untilMs),
  });
}

/** The failure names the kind of the error, and nothing of the answer, which may hold anything. */
function jsonOf({ bytes, url }: GuardedResponse): unknown {
  try {
    return parseStrictJson(bytes);
  } catch (cause) {
    throw refusal("bad_answer", endpointOf(url), `the search engine: ${describeCause(cause)}`);
  }
}

function atEndpoint({ failure }: ProviderFailure): ProviderFailure {
  return new ProviderFailure({ ...failure, url: endpointOf(failure.url) });
}

/** The URL of an engine without its query, which may hold a key. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
