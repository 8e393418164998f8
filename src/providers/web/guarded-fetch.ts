// Makes HTTP exchanges within limits: judges the addresses of the host, connects only to these, and follows a few redirects.
import type { Clock } from "../../ports/clock.ts";
import { describeCause } from "../../kernel/errors.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import { Deadline, TooSlow } from "../deadline.ts";
import { ACCEPTED_ENCODINGS, readBody, type BodyLimits } from "./bounded-body.ts";
import { codeOf, connectJudged, type ConnectionOptions } from "./judged-connection.ts";
import { hostOf, refusal, type Trust } from "./reach.ts";

export interface FetchLimits extends BodyLimits {
  totalMs: number;
  idleMs: number;
}

export interface GuardedRequest {
  url: string;
  trust: Trust;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  limits: FetchLimits;
  /** True to read the body of an error, too. */
  readsErrors?: boolean;
  /** Throws to refuse an answer by its status and headers, before its body is read. */
  accept?: (response: { status: number; headers: Headers; url: string }) => void;
}

export interface GuardedResponse {
  url: string;
  status: number;
  headers: Headers;
  /** Empty for a redirect, and for an error without `readsErrors`. */
  bytes: Uint8Array;
}

interface GuardedFetchOptions extends ConnectionOptions {
  clock: Clock;
  userAgent: string;
}

/** Makes one request and follows nothing. Throws a `ProviderFailure`, or the reason of the signal. */
export type GuardedFetch = (request: GuardedRequest, signal: AbortSignal) => Promise<GuardedResponse>;

export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  return async (request, signal) => {
    signal.throwIfAborted();
    const url = options.reach.judgeUrl(request.url, request.trust);
    using deadline = new Deadline(options.clock, request.limits, signal);
    const connection = new AbortController();
    try {
      const signals = AbortSignal.any([deadline.signal, connection.signal]);
      const connected = connectJudged(options, url, request.trust, initOf(request, options.userAgent), signals);
      const response = await deadline.race(connected);
      return await deadline.race(answerOf(response, request, url, deadline));
    } catch (error) {
      signal.throwIfAborted();
      throw typed(deadline.signal.aborted ? deadline.signal.reason : error, url);
    } finally {
      connection.abort();
    }
  };
}

function initOf({ method = "GET", headers, body }: GuardedRequest, userAgent: string): RequestInit {
  return {
    method,
    headers: { Accept: "*/*", ...headers, "User-Agent": userAgent, "Accept-Encoding": ACCEPTED_ENCODINGS },
    ...(body === undefined ? {} : { body }),
  };
}

async function answerOf(
  response: Response,
  { limits, readsErrors = false, accept }: GuardedRequest,
  { href }: URL,
  deadline: Deadline,
): Promise<GuardedResponse> {
  const { status, headers } = response;
  deadline.touch();
  const isRedirect = REDIRECTS.has(status) && headers.has("location");
  if (isRedirect || !(response.ok || readsErrors)) return { url: href, status, headers, bytes: new Uint8Array() };
  accept?.({ status, headers, url: href });
  const bytes = await readBody(response, href, limits, () => deadline.touch());
  return { url: href, status, headers, bytes };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

// --- failures -----------------------------------------------------------------------------------------------------

/** Turns any error of an exchange into a failure of the closed list. */
export function typed(error: unknown, url: URL): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof TooSlow) return refusal("too_slow", url.href, error.message);
  const code = codeOf(error);
  const detail = code === "" ? describeCause(error) : code;
  if (DNS_CODES.test(code)) return refusal("dns", url.href, `${hostOf(url)} cannot be resolved (${detail})`);
  if (TLS_CODES.test(code)) return refusal("tls", url.href, detail);
  if (code === "ResponseHeadersTooLarge") return refusal("too_large", url.href, "its headers are too large");
  return refusal("connection", url.href, detail);
}

const DNS_CODES = /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|DNS_)/;
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|UNKNOWN_CERT|INVALID_|HOSTNAME_|EPROTO)/;

// --- redirects ----------------------------------------------------------------------------------------------------

export const MAX_REDIRECTS = 5;

/**
 * Follows a few redirects, and judges each target as if it had been requested. Calls `before` ahead of every hop, and disposes of
 * its result behind it. Throws a `ProviderFailure`.
 */
export async function followed(
  fetch: GuardedFetch,
  request: GuardedRequest,
  before: (url: string, trust: GuardedRequest["trust"], signal: AbortSignal) => Promise<Disposable>,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  let { url, trust } = request;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    using _turn = await before(url, trust, signal);
    const response = await fetch({ ...request, url, trust }, signal);
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) return response;
    const next = URL.canParse(location, response.url) ? new URL(location, response.url) : null;
    if (next === null) throw refusal("bad_url", request.url, "it redirects to a place that is no URL");
    // The user trusts the endpoint that they set up, not other servers to which it leads.
    if (next.origin !== new URL(response.url).origin) trust = "named";
    next.hash = "";
    url = next.href;
  }
  throw refusal("too_many_redirects", request.url, `more than ${MAX_REDIRECTS} redirects`);
}
