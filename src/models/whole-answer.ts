// One request for an answer that is no stream: within its time limit, as text, or a typed failure.
import type { Clock } from "../ports/clock.ts";
import { ModelFailure, type CallOptions } from "../ports/model.ts";
import { failureOf } from "./failure.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { Secrets } from "./secrets.ts";

export interface Server {
  baseUrl: string;
  path: string;
  key: string | undefined;
  clock: Clock;
  secrets: Secrets;
}

/** Posts the body as JSON; gets without one. Errors: `ModelFailure`; the reason of the signal. */
export async function wholeAnswer(
  { baseUrl, path, key, clock, secrets }: Server,
  body: unknown,
  { signal, timeout_ms, mayUseProxy = false }: Pick<CallOptions, "signal" | "timeout_ms" | "mayUseProxy">,
): Promise<string> {
  const over = new AbortController();
  const late = clock.sleep(timeout_ms, over.signal).then(() => {
    throw new ModelFailure("transient", { reason: `${baseUrl} did not answer in time`, timed_out: true });
  });
  late.catch(() => {});
  try {
    const fetch = guardedFetch({ mayUseProxy, isWhole: true });
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const posted =
      body === undefined
        ? { headers: authorization }
        : {
            method: "POST",
            headers: { ...authorization, "content-type": "application/json" },
            body: JSON.stringify(body),
          };
    const fetched = fetch(`${baseUrl.replace(/\/+$/, "")}${path}`, {
      ...posted,
      signal: AbortSignal.any([signal, over.signal]),
    });
    const response = await Promise.race([fetched, late]);
    const text = await Promise.race([response.text(), late]);
    if (!response.ok) throw refusal(response, text);
    return text;
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, { endpoint: baseUrl, secrets, nowMs: clock.nowMs() });
  } finally {
    over.abort();
  }
}

/** An answer that is no success, in the form in which failures are read. */
function refusal({ status, headers }: Response, responseBody: string): Error {
  const said = { statusCode: status, responseBody, responseHeaders: Object.fromEntries(headers) };
  return Object.assign(new Error(`status ${status}`), said);
}
