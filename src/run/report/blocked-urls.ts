// blocked-urls.v1: the pages, search engines and servers that could not be reached, why, and what would help.
import { z } from "../../kernel/zod.ts";
import { providerIdSchema, timestampSchema } from "../common.ts";

export const MAX_BLOCKED_URLS = 2_000;

/** The closed list of reasons why a page, a search engine or a server gave nothing, each with what a person can do about it. */
const HELP = {
  // Refused by our own rules, before anything was sent.
  bad_url: "give an http or https address without a user name or password, at most 2,000 characters long",
  not_allowed_host: "add the host to allowed_hosts, or run with --sensitivity normal",
  blocked_port: "add the port to providers.web.ports",
  blocked_address: "only public addresses are reached; if this one is meant, add it to allowed_hosts",
  robots: "the site forbids programs; save the page to a corpus folder by hand",
  search_limit: "ask a narrower question, or run in a mode that searches more",
  // The way there.
  dns: "check the name and the network, then run again",
  connection: "check that the host is up and the network works, then run again",
  tls: "the certificate is not valid for the host; name that of your own authority in NODE_EXTRA_CA_CERTS=FILE.pem, or save the page to a corpus folder by hand",
  too_slow: "run again later, or save the page to a corpus folder by hand",
  too_many_redirects: "give the address where the page really is",
  // The other side said no.
  http_status: "open the page in a browser; if it is there for you, save it to a corpus folder",
  unauthorized: "set a key that the service accepts, or log in by hand and save the page to a corpus folder",
  rate_limited: "wait until the given time, then continue",
  quota: "wait until the quota is renewed, raise it with the service, or configure another one",
  server_failed: "start the server by hand and read what it prints",
  // What came cannot be used.
  too_large: "save the part that matters to a corpus folder",
  content_type: "convert the document to text, HTML or PDF and add it to a corpus folder",
  bad_answer: "check that the address is the right one; the answer was not what the protocol says",
  unreadable: "convert the document to text, HTML or PDF and add it to a corpus folder",
};
export type UnreachedReason = keyof typeof HELP;
export const UNREACHED_REASONS = Object.keys(HELP) as UnreachedReason[];
const unreachedReasonSchema = z.enum(UNREACHED_REASONS);

export function helpFor(reason: UnreachedReason): string {
  return HELP[reason];
}

/** Reasons that may be gone when the same URL is tried later. */
const PASSING = new Set<UnreachedReason>(["dns", "connection", "too_slow", "rate_limited", "quota", "server_failed"]);

export function isPassing(failure: { reason: UnreachedReason; http_status?: number | undefined }): boolean {
  return PASSING.has(failure.reason) || (failure.http_status ?? 0) >= 500;
}

export const blockedUrlSchema = z.object({
  /** Without user name, password and fragment. A server that has no URL is here by its configured name. */
  url: z.string().min(1).max(2_100),
  provider_id: providerIdSchema,
  reason: unreachedReasonSchema,
  detail: z.string().max(500),
  help: z.string().min(1),
  http_status: z.int().min(100).max(999).optional(),
  /** No try before this time can work. */
  retry_at: timestampSchema.optional(),
  blocked_at: timestampSchema,
});
export type BlockedUrl = z.infer<typeof blockedUrlSchema>;

export const blockedUrlsSchema = z.object({
  schema_version: z.literal("blocked-urls.v1"),
  urls: z.array(blockedUrlSchema).max(MAX_BLOCKED_URLS),
});
export type BlockedUrls = z.infer<typeof blockedUrlsSchema>;

/** Lists each URL once for each reason, with its latest entry, sorted by URL. */
export function blockedUrls(entries: readonly BlockedUrl[]): BlockedUrls {
  const latest = new Map<string, BlockedUrl>();
  for (const entry of entries) latest.set(`${entry.url} ${entry.reason}`, entry);
  const urls = [...latest.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
  return { schema_version: "blocked-urls.v1", urls: urls.slice(0, MAX_BLOCKED_URLS) };
}
