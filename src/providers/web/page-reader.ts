// Reads pages: politely, by the rules of the site, each once; what was read is kept for the run.
import type { Clock } from "../../ports/clock.ts";
import { plainUrl, ProviderFailure } from "../../ports/provider-failure.ts";
import { isPassing, type BlockedUrl, type UnreachedReason } from "../../run/blocked-urls.ts";
import { abortable } from "../deadline.ts";
import { DocumentCache, readDocument, type ExtractText, type ReadDocument } from "../documents.ts";
import type { FetchLimits, GuardedFetch, GuardedRequest, GuardedResponse } from "./guarded-fetch.ts";
import { throttled, type HostTurns } from "./host-turns.ts";
import { typeOfBody, requireReadable } from "./media-types.ts";
import { refusal, type Reach, type Trust } from "./reach.ts";
import { followed } from "./redirects.ts";
import { Robots, ROBOTS_LIMITS, type FetchRobots } from "./robots.ts";

export interface PageReaderOptions {
  fetch: GuardedFetch;
  reach: Reach;
  turns: HostTurns;
  clock: Clock;
  extract: ExtractText;
  limits: FetchLimits;
  /** The first word of the User-Agent. */
  product: string;
  cacheBytes: number;
  /** What an earlier process could not reach. */
  unreached: readonly BlockedUrl[];
}

export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #robots: Robots;
  readonly #cache: DocumentCache;
  /** Requested URL -> origin, for pages that redirect. */
  readonly #places = new Map<string, string>();
  /** Pages that gave nothing and never will: they are not fetched again. */
  readonly #failed = new Map<string, ProviderFailure>();
  readonly #underWay = new Map<string, Promise<ReadDocument>>();
  readonly #closed = new AbortController();

  constructor(options: PageReaderOptions) {
    this.#options = options;
    this.#cache = new DocumentCache(options.cacheBytes);
    // A page that a person named is asked for again: when nothing was found, they may have mended it.
    const named: Trust = "named";
    for (const entry of options.unreached.filter(isOfThePage))
      this.#failed.set(`${named} ${entry.url}`, new ProviderFailure(entry));
    this.#robots = new Robots(options.product, this.#fetchRobots, options.turns);
  }

  /**
   * The page, read now or earlier. Whoever waits may give up by its signal; others that wait for the same page go on.
   * `title` is for a page that has none of its own. Throws a `ProviderFailure`.
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
    const document = readDocument({ origin: response.url, title, media_type, bytes: response.bytes, text, textFrom });
    this.#cache.keep(document);
    this.#places.set(url, document.origin);
    return document;
  }

  /** A host that asks for a little patience gets it, once. */
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

  /** The site itself is trusted as far as its page is. */
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

const OF_THE_PAGE: ReadonlySet<UnreachedReason> = new Set([
  "http_status",
  "unauthorized",
  "too_many_redirects",
  "too_large",
  "content_type",
  "unreadable",
]);

/** Whether it failed for good by what the page is. Our own rules are judged anew: a person may have changed them. */
function isOfThePage(entry: BlockedUrl): boolean {
  return OF_THE_PAGE.has(entry.reason) && !isPassing(entry);
}

/** The page that a URL names, as it is asked for; what is no URL stays as it is. */
export function pageOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const page = new URL(url);
  page.hash = "";
  return page.href;
}

/** A failure is that of the page that was asked for, also when it happened on the way there. */
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
