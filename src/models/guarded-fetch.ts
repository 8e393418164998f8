// The fetch for calls of models: it follows no redirect, takes no endless reply, and passes on only a stream of events.
import { ModelFailure } from "../ports/model.ts";
import { isOnThisMachine } from "../run/model/model.ts";

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;

/** A whole answer where a stream was requested. Some gateways send errors in this form, with status 200. */
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

interface FetchRules {
  /** Requests that leave this machine may use the proxy of the environment. */
  mayUseProxy: boolean;
  maxReplyBytes?: number | undefined;
  /** The answer is no stream. */
  isWhole?: boolean;
}

export function guardedFetch({
  mayUseProxy,
  maxReplyBytes = MAX_REPLY_BYTES,
  isWhole = false,
}: FetchRules): typeof fetch {
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // Bun alone would close a silent connection after five minutes. Here the time limit of the call counts.
    const response = await fetch(input, {
      ...init,
      redirect: "manual",
      timeout: false,
      // Certificates are checked even if NODE_TLS_REJECT_UNAUTHORIZED says otherwise, since the key goes along.
      tls: { rejectUnauthorized: true },
      // A request to this machine uses no proxy, which may be on another one.
      ...(mayUseProxy && !isOnThisMachine(placeOf(input)) ? {} : { proxy: false }),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelFailure("bad_request", {
        reason: "the endpoint answers with a redirect, which is not followed, because the key would go along",
        status: response.status,
      });
    }
    if (!response.ok) return firstBytes(response);
    if (isWhole) return firstBytes(response, MAX_WHOLE_BYTES);
    const mediaType = (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (mediaType !== "text/event-stream") {
      throw new NotAStream(mediaType, await firstBytes(response).text());
    }
    return cutOff(response, maxReplyBytes, (left, body) => {
      if (left < 0)
        body.error(new ModelFailure("malformed", { reason: `the reply is larger than ${maxReplyBytes} bytes` }));
    });
  };
  return Object.assign(guarded, { preconnect: fetch.preconnect });
}

function placeOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}

/** Ends with the last byte that matters, and does not wait for another one. */
function firstBytes(response: Response, most = MAX_ERROR_BYTES): Response {
  return cutOff(response, most, (left, body) => {
    if (left <= 0) body.terminate();
  });
}

/** Passes on the first bytes of the body. `heed` gets after each piece how many are left; below 0 when there were more. */
function cutOff(
  response: Response,
  most: number,
  heed: (left: number, body: TransformStreamDefaultController<Uint8Array>) => void,
): Response {
  let left = most;
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, body) {
      body.enqueue(bytes.subarray(0, left));
      left -= bytes.byteLength;
      heed(left, body);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(through) ?? null, { status, statusText, headers });
}
