// Fetch as models are asked with it: no redirect is followed, no reply is endless, and only the wire's own type passes.
import { ModelFailure } from "../ports/model.ts";
import { isOnThisMachine } from "../run/model.ts";

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** A whole answer where a stream was asked for. Some gateways send errors so, with status 200. */
export class NotAStream extends Error {
  override readonly name = "NotAStream";
  readonly mediaType: string;
  readonly body: string;

  constructor(mediaType: string, body: string) {
    super("not a stream");
    this.mediaType = mediaType;
    this.body = body;
  }
}

export interface FetchRules {
  /** Whether the proxy of the environment may carry what leaves this machine. */
  mayUseProxy: boolean;
  maxReplyBytes?: number | undefined;
}

export function guardedFetch({ mayUseProxy, maxReplyBytes = MAX_REPLY_BYTES }: FetchRules): typeof fetch {
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // Bun gives up a silent connection after five minutes by itself; the time limit of the call is the only one here.
    const response = await fetch(input, {
      ...init,
      redirect: "manual",
      timeout: false,
      // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise: the key goes along.
      tls: { rejectUnauthorized: true },
      // What goes to this machine leaves it for no proxy of the environment.
      ...(mayUseProxy && !isOnThisMachine(placeOf(input)) ? {} : { proxy: false }),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelFailure("bad_request", {
        reason: "the endpoint answers with a redirect, which is not followed: the key would go along",
        status: response.status,
      });
    }
    if (!response.ok) return withBody(response, firstBytes(MAX_ERROR_BYTES));
    const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (mediaType !== "text/event-stream") {
      throw new NotAStream(mediaType, await withBody(response, firstBytes(MAX_ERROR_BYTES)).text());
    }
    return withBody(response, noMoreThan(maxReplyBytes));
  };
  return Object.assign(guarded, { preconnect: fetch.preconnect });
}

function placeOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}

function withBody(response: Response, through: TransformStream<Uint8Array, Uint8Array>): Response {
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(through) ?? null, { status, statusText, headers });
}

function firstBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(bytes, controller) {
      controller.enqueue(bytes.subarray(0, left));
      left -= bytes.byteLength;
      if (left <= 0) controller.terminate();
    },
  });
}

function noMoreThan(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(bytes, controller) {
      left -= bytes.byteLength;
      if (left < 0)
        controller.error(new ModelFailure("malformed", { reason: `the reply is larger than ${most} bytes` }));
      else controller.enqueue(bytes);
    },
  });
}
