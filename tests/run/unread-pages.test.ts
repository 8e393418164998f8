// Tests of the words for pages that were found and could not be read.
import { expect, test } from "bun:test";
import type { BlockedUrl } from "../../src/run/report/blocked-urls.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { unreadPages } from "../../src/run/log/unread-pages.ts";

const found = (...paths: string[]): unknown => ({
  kind: "engine.answered",
  data: { query: "valve", hits: paths.map((path) => ({ url: `https://a.example/${path}`, title: "" })) },
});
const blocked = (path: string, entry: Partial<BlockedUrl>): unknown => ({
  kind: "url.blocked",
  data: { url: `https://a.example/${path}`, reason: "http_status", detail: "", ...entry },
});
const summaryOf = (...records: unknown[]): string | null => unreadPages(records as AnyRecord[]);

test("pages are counted by what was in the way", () => {
  const refused = { reason: "unauthorized", http_status: 403 } as const;
  const gate = {
    reason: "unauthorized",
    detail: "a page of consent, login or a check for robots stands before the text",
  } as const;
  expect(summaryOf(found("a", "b#x", "c"), blocked("a", refused), blocked("b", refused), blocked("c", gate))).toBe(
    "3 pages were found and none could be read: 2 refused (403), 1 page of consent, login or a check for robots",
  );
  expect(summaryOf(found("a", "b"), found("a"), blocked("a", { reason: "too_slow" }))).toBe(
    "1 of 2 pages that were found could not be read: 1 too slow",
  );
});

test("control: nothing is said when nothing was found, or only an engine was not reached", () => {
  expect(summaryOf()).toBeNull();
  expect(summaryOf(found("a"))).toBeNull();
  expect(summaryOf(blocked("search", { reason: "connection" }))).toBeNull();
});
