// Follows a few redirects. Each target is judged as if it had been requested.
import type { GuardedFetch, GuardedRequest, GuardedResponse } from "./guarded-fetch.ts";
import { REDIRECTS } from "./guarded-fetch.ts";
import { refusal } from "./reach.ts";

export const MAX_REDIRECTS = 5;

/** Calls `before` ahead of every hop, and disposes of its result behind it. Throws a `ProviderFailure`. */
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
