// Reads pages politely and by the rules of their sites. Each page is read once, and kept for later searches of the run.
import type { Clock } from "../../ports/clock.ts";
import { plainUrl, ProviderFailure } from "../../ports/provider-failure.ts";
import { isPassing, type BlockedUrl, type UnreachedReason } from "../../run/report/blocked-urls.ts";
import { abortable } from "../deadline.ts";
import { DocumentCache, readDocument, type ExtractText, type ReadDocument } from "../documents.ts";
import {
  type FetchLimits,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  followed,
} from "./guarded-fetch.ts";
import { throttled, type HostTurns } from "./host-turns.ts";
import { typeOfBody, requireReadable } from "./media-types.ts";
import { refusal, type Reach, type Trust } from "./reach.ts";
import { isGatePage } from "./gate-page.ts";
import { Robots, ROBOTS_LIMITS, type FetchRobots } from "./robots.ts";

interface PageReaderOptions {
  fetch: GuardedFetch;
  reach: Reach;
  turns: HostTurns;
  clock: Clock;
  extract: ExtractText;
  limits: FetchLimits;
  /** The first word of the User-Agent. */
  product: string;
  cacheBytes: number;
  /** Pages that an earlier process of the run could not reach. */
  unreached: readonly BlockedUrl[];
}

export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #robots: Robots;
  readonly #cache: DocumentCache;
  /** The origin of a page by the URL that was requested: pages redirect. */
  readonly #places = new Map<string, string>();
  /** Pages that failed for good, by trust and URL. They are not fetched again. */
  readonly #failed = new Map<string, ProviderFailure>();
  readonly #underWay = new Map<string, Promise<ReadDocument>>();
  readonly #closed = new AbortController();

  constructor(options: PageReaderOptions) {
    this.#options = options;
    this.#cache = new DocumentCache(options.cacheBytes);
    // Only for `named` pages: a page that a person configured is fetched again, since they may have fixed it.
    const named: Trust = "named";
    for (const entry of options.unreached.filter(isOfThePage))
      this.#failed.set(`${named} ${entry.url}`, new ProviderFailure(entry));
    this.#robots = new Robots(options.product, this.#fetchRobots, options.turns);
  }

  /**
   * Gives the page, read now or earlier. A caller may stop waiting by its signal, while others that wait for the page continue. A page
   * without a title gets `title`. Throws a `ProviderFailure`.
   */
  async read(url: string, trust: Trust, signal: AbortSignal, title = ""): Promise<ReadDocument> {
    signal.throwIfAborted();
    const page = pageOf(url);
    const known = this.#cache.get(this.#places.get(page) ?? page);
    if (known !== undefined) return known;
    this.#options.reach.judgeUrl(page, trust);
    const failed = this.#failed.get(`${trust} ${page}`);
    if (failed !== undefined) throw failed;
    let work = this.#underWay.get(page);
    if (work === undefined) {
      work = this.#readAnew(page, trust, title)
        .catch((error: unknown) => {
          const named = namedAs(page, error);
          if (named instanceof ProviderFailure && !named.isPassing) this.#failed.set(`${trust} ${page}`, named);
          throw named;
        })
        .finally(() => this.#underWay.delete(page));
      this.#underWay.set(page, work);
    }
    return await abortable(work, signal);
  }

  close(): void {
    this.#closed.abort(new Error("the provider was closed"));
  }

  async #readAnew(url: string, trust: Trust, givenTitle: string): Promise<ReadDocument> {
    const { signal } = this.#closed;
    const response = await this.#askPatiently(url, trust, signal);
    if (response.status < 200 || response.status >= 300) throw refusedBy(response);
    const media_type = typeOfBody(response.headers.get("content-type"), response.url);
    const extracted = await this.#options.extract(response.bytes, media_type, signal);
    if (extracted.kind === "unfit") throw refusal("unreadable", response.url, extracted.reason);
    const { text, textFrom, title = givenTitle } = extracted;
    if (media_type.includes("html") && isGatePage(text, response.bytes))
      throw refusal("unauthorized", response.url, BEHIND_GATE);
    const document = readDocument({ origin: response.url, title, media_type, bytes: response.bytes, text, textFrom });
    this.#cache.keep(document);
    this.#places.set(url, document.origin);
    return document;
  }

  /** If the host asks for a short wait, waits once and retries. */
  async #askPatiently(url: string, trust: Trust, signal: AbortSignal): Promise<GuardedResponse> {
    for (let attempt = 1; ; attempt++) {
      const response = await followed(this.#options.fetch, this.#request(url, trust), this.#before, signal);
      const plea = throttled(response, this.#options.clock.nowMs());
      if (plea === null) return response;
      const host = new URL(response.url).host;
      this.#options.turns.hold(host, plea.failure, plea.untilMs);
      if (attempt > 1 || !this.#options.turns.isWorthWaiting(host)) throw plea.failure;
    }
  }

  #request(url: string, trust: Trust): GuardedRequest {
    return {
      url,
      trust,
      headers: { Accept: "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.1" },
      limits: this.#options.limits,
      accept: ({ headers, url: place }) => requireReadable(headers.get("content-type"), place),
    };
  }

  readonly #before = async (text: string, trust: Trust, signal: AbortSignal): Promise<Disposable> => {
    const url = this.#options.reach.judgeUrl(text, trust);
    await this.#robots.judge(url, trust, signal);
    return await this.#options.turns.take(url.host, signal);
  };

  /** robots.txt has the trust of the page for which it is read. */
  readonly #fetchRobots: FetchRobots = async (url, trust, signal) => {
    const { fetch, turns, clock } = this.#options;
    const response = await followed(
      fetch,
      { url, trust, limits: ROBOTS_LIMITS },
      async (place) => await turns.take(new URL(place).host, signal),
      signal,
    );
    turns.skipPause(new URL(url).host);
    const plea = throttled(response, clock.nowMs());
    if (plea === null) return response;
    turns.hold(new URL(response.url).host, plea.failure, plea.untilMs);
    throw plea.failure;
  };
}

/** What is in the way of a page whose own text was not sent. Stored, and read again by its words, so they stay. */
export const BEHIND_GATE = "a page of consent, login or a check for robots stands before the text";

const OF_THE_PAGE: ReadonlySet<UnreachedReason> = new Set([
  "http_status",
  "unauthorized",
  "too_many_redirects",
  "too_large",
  "content_type",
  "unreadable",
]);

/** True for a page that failed for good by itself. Pages that our rules refused are judged again: a person may change these. */
function isOfThePage(entry: BlockedUrl): boolean {
  return OF_THE_PAGE.has(entry.reason) && !isPassing(entry);
}

/** The URL of the page without its fragment. A text that is no URL stays as it is. */
export function pageOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const page = new URL(url);
  page.hash = "";
  return page.href;
}

/** Names the requested page in a failure of a page to which it redirected. */
function namedAs(url: string, error: unknown): unknown {
  if (!(error instanceof ProviderFailure) || error.failure.url === url) return error;
  const { failure } = error;
  return new ProviderFailure({ ...failure, url, detail: `${failure.detail} (at ${plainUrl(failure.url)})` });
}

function refusedBy({ status, url }: GuardedResponse): ProviderFailure {
  const isLocked = status === 401 || status === 402 || status === 403 || status === 407;
  const { failure } = refusal(isLocked ? "unauthorized" : "http_status", url, `status ${status}`);
  return new ProviderFailure({ ...failure, http_status: status });
}
