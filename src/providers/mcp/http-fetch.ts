// The fetch for an MCP server over HTTP: its addresses are judged, and the bytes of its answers counted.
import type { Clock } from "../../ports/clock.ts";
import type { ProviderFailure } from "../../ports/provider-failure.ts";
import { counted } from "../web/bounded-body.ts";
import { typed } from "../web/guarded-fetch.ts";
import { throttled } from "../web/host-turns.ts";
import { connectJudged, type ConnectionOptions } from "../web/judged-connection.ts";
import { refusal } from "../web/reach.ts";

interface HttpFetchOptions extends ConnectionOptions {
  clock: Clock;
  maxBytes: number;
  /** Called with a failure before it is thrown, since the protocol library wraps it. */
  onFailure: (failure: ProviderFailure) => void;
  /** Called with a failure in the middle of an answer, when the library would wait for the rest. */
  onBroken: (failure: ProviderFailure) => void;
  /** Called when the server does not know the session, since it was started anew. */
  onForgotten: () => void;
}

export function httpFetch(options: HttpFetchOptions): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (place, init = {}) => {
    // GET would open a stream of notifications, which is never read. The library gets the answer of a server without one.
    if ((init.method ?? "GET") === "GET") return new Response(null, { status: 405 });
    const url = options.reach.judgeUrl(String(place), "configured");
    const signal = init.signal ?? new AbortController().signal;
    const headers = new Headers(init.headers);
    headers.set("Accept-Encoding", "identity");
    try {
      const response = await connectJudged(options, url, "configured", { ...init, headers }, signal);
      if (response.status === 404 && headers.has(SESSION)) options.onForgotten();
      refuse(response, url, options.clock);
      const { body, status, statusText } = response;
      if (body === null) return response;
      const tooLarge = (): ProviderFailure => {
        const failure = refusal("too_large", url.href, `more than ${options.maxBytes} bytes`);
        options.onBroken(failure);
        return failure;
      };
      return new Response(counted(body, options.maxBytes, tooLarge), { status, statusText, headers: response.headers });
    } catch (error) {
      signal.throwIfAborted();
      const failure = typed(error, url);
      options.onFailure(failure);
      throw failure;
    }
  };
}

const SESSION = "Mcp-Session-Id";

function refuse({ status, headers }: Response, url: URL, clock: Clock): void {
  const plea = throttled({ status, headers, url: url.href }, clock.nowMs());
  if (plea !== null) throw plea.failure;
  if (status === 401 || status === 402 || status === 403)
    throw refusal("unauthorized", url.href, `the server refuses us with status ${status}`);
  if (status >= 300 && status < 400) throw refusal("bad_answer", url.href, `the server redirects (status ${status})`);
  if (status === 404 || status >= 500)
    throw refusal("server_failed", url.href, `the server answers with status ${status}`);
  if (headers.has("content-encoding"))
    throw refusal("bad_answer", url.href, "it sends an encoding that was not requested");
}
