// Says in words which pages were found on the web and could not be read.
import { counted } from "../../kernel/counted.ts";
import type { BlockedUrl } from "../report/blocked-urls.ts";
import type { AnyRecord } from "./record.ts";

/** Null when every page that was found could be read, or was not requested. */
export function unreadPages(records: readonly AnyRecord[]): string | null {
  const found = new Set<string>();
  const unread = new Map<string, BlockedUrl>();
  for (const record of records) {
    if (record.kind === "engine.answered") for (const { url } of record.data.hits) found.add(plain(url));
    if (record.kind === "url.blocked") unread.set(plain(record.data.url), record.data);
  }
  const pages = [...unread].flatMap(([url, entry]) => (found.has(url) ? [entry] : []));
  if (pages.length === 0) return null;
  const ways = Map.groupBy(pages, wayOf);
  const reasons = [...ways].map(([way, { length }]) => `${length} ${way}`).join(", ");
  const count =
    pages.length === found.size
      ? `${counted(pages.length, "page")} ${pages.length === 1 ? "was" : "were"} found and none could be read`
      : `${pages.length} of ${counted(found.size, "page")} that were found could not be read`;
  return `${count}: ${reasons}`;
}

function wayOf({ reason, http_status, detail }: BlockedUrl): string {
  if (http_status !== undefined) return `refused (${http_status})`;
  return reason === "unauthorized"
    ? detail.replace(/ stands .*/u, "").replace(/^a /u, "")
    : reason.replaceAll("_", " ");
}

function plain(url: string): string {
  return url.replace(/#.*/su, "");
}
