// Lists the models of an endpoint that speaks OpenAI's protocol.
import { z } from "../kernel/zod.ts";
import type { Clock } from "../ports/clock.ts";
import { type CallOptions, ModelFailure } from "../ports/model.ts";
import { failureOf } from "./failure.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { Secrets } from "./secrets.ts";

const TIMEOUT_MS = 10_000;
const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 200;

const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(MAX_NAME_LENGTH) })) });

interface Endpoint {
  baseUrl: string;
  key: string | undefined;
  clock: Clock;
  secrets: Secrets;
}

export async function listModels(
  { baseUrl, key, clock, secrets }: Endpoint,
  { signal, mayUseProxy = false }: Pick<CallOptions, "signal" | "mayUseProxy">,
): Promise<string[]> {
  const over = new AbortController();
  const late = clock.sleep(TIMEOUT_MS, over.signal).then(() => {
    throw new ModelFailure("transient", { reason: `${baseUrl} did not answer in time`, timed_out: true });
  });
  late.catch(() => {});
  try {
    const fetch = guardedFetch({ mayUseProxy, isWhole: true });
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const fetched = fetch(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers,
      signal: AbortSignal.any([signal, over.signal]),
    });
    const response = await Promise.race([fetched, late]);
    const text = await Promise.race([response.text(), late]);
    if (!response.ok) throw new ModelFailure("bad_request", { reason: `${baseUrl} answers ${response.status}` });
    return namesIn(text).slice(0, MAX_NAMES);
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, { endpoint: baseUrl, secrets, nowMs: clock.nowMs() });
  } finally {
    over.abort();
  }
}

/** Errors: `ModelFailure` for what is no list of models. */
function namesIn(text: string): string[] {
  try {
    return listSchema.parse(JSON.parse(text)).data.map(({ id }) => id);
  } catch {
    throw new ModelFailure("malformed", {
      reason: "it answers, but not with a list of models: does the URL end in /v1?",
    });
  }
}
