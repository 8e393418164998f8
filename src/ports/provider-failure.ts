// The error of a provider that gave no answer, which is not the same as finding nothing.
import { RunError } from "../kernel/errors.ts";
import { given } from "../kernel/given.ts";
import { shortened } from "../kernel/shortened.ts";
import { helpFor, isPassing, type BlockedUrl } from "../run/report/blocked-urls.ts";
import { timestamp } from "./clock.ts";

/** `url` is the URL as it was requested, or the name of the server. */
export type Failure = Omit<BlockedUrl, "help" | "blocked_at">;

/** The code is `QUOTA_EXCEEDED` when only waiting helps, else `PROVIDER_FAILED`. */
export class ProviderFailure extends RunError {
  readonly failure: Failure;

  constructor(failure: Failure, options?: { cause?: unknown }) {
    const isThrottled = failure.reason === "rate_limited" || failure.reason === "quota";
    super(isThrottled ? "QUOTA_EXCEEDED" : "PROVIDER_FAILED", factsOf(failure), options);
    this.failure = failure;
  }

  /** True when the same may work later without a person's help. */
  get isPassing(): boolean {
    return isPassing(this.failure);
  }
}

function factsOf({ reason, provider_id, url, detail, http_status, retry_at }: Failure): Record<string, unknown> {
  return {
    reason: `${reason}: ${detail}`,
    unreached: reason,
    provider_id,
    url: plainUrl(url),
    help: helpFor(reason),
    ...given({ http_status, retry_at }),
  };
}

/** The entry of blocked-urls.json. */
export function blockedUrlOf({ failure }: ProviderFailure, nowMs: number): BlockedUrl {
  const { reason, provider_id, url, detail, http_status, retry_at } = failure;
  return {
    url: plainUrl(url),
    provider_id,
    reason,
    detail: shortened(detail, 500),
    help: helpFor(reason),
    ...given({ http_status, retry_at }),
    blocked_at: timestamp(nowMs),
  };
}

const MAX_URL_LENGTH = 2_000;

/** The URL without user name, password and fragment, so that it may be stored and shown. */
export function plainUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) return shortened(url.replace(/\/\/[^?#]*@/, "//").toWellFormed(), MAX_URL_LENGTH) || "(empty)";
  parsed.username = "";
  parsed.password = "";
  parsed.hash = "";
  return shortened(parsed.href, MAX_URL_LENGTH);
}
