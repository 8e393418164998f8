// Searches the web: queries a search engine, reads the best pages, and finds the passages in them that fit.
import packageJson from "../../../package.json" with { type: "json" };
import { anyOf } from "../../kernel/any-of.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import type { FetchOutcome, Passage, Provider } from "../../ports/provider.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { EngineAnswer } from "../../run/report/engine-answer.ts";
import { MAX_TITLE_LENGTH } from "../../run/report/source.ts";
import type { BlockedUrl } from "../../run/report/blocked-urls.ts";
import { SharedAnswers } from "../shared-answers.ts";
import { BlockedList } from "../blocked-list.ts";
import { Deadline, TooSlow } from "../deadline.ts";
import { type ExtractText, type Gone, outcomeOf, type ReadDocument } from "../documents.ts";
import { mostHopeful } from "../most-hopeful.ts";
import { rankDocuments } from "../rank-documents.ts";
import type { SearchEngine, SearchHit } from "./engines/engine.ts";
import { enginesOf, KEY_VARIABLES, searchEngines, type KeyEnvironment } from "./engines/engines.ts";
import { guardedFetch, type GuardedFetch } from "./guarded-fetch.ts";
import { DEFAULT_POLITENESS, HostTurns } from "./host-turns.ts";
import { BEHIND_GATE, pageOf, PageReader } from "./page-reader.ts";
import { Reach, refusal } from "./reach.ts";
import { systemResolver, type ResolveHost } from "./judged-connection.ts";
import { DEFAULT_WEB_LIMITS, type WebLimits, type WebSettings } from "./web-settings.ts";

export interface WebTools {
  clock: Clock;
  environment: KeyEnvironment;
  extract: ExtractText;
  resolve?: ResolveHost;
  certificateAuthorities?: string;
}

const PRODUCT = "deep-research";

/** Connects to nothing yet. Errors: `INVALID_ARGS` when neither a search engine nor a seed is set up. */
export function openWebProvider(settings: WebSettings, tools: WebTools): WebProvider {
  const { clock, environment } = tools;
  const limits = { ...DEFAULT_WEB_LIMITS, ...settings.limits };
  const { pages, fetch, turns } = openPages(settings, tools);
  const engines = enginesOf(settings.engines, environment, { fetch, turns, clock });
  if (engines.length === 0 && settings.seeds.length === 0)
    throw new RunError("INVALID_ARGS.no_search_key", {
      reason: `--provider web needs a search key: set ${anyOf(Object.values(KEY_VARIABLES))}`,
      keys: Object.values(KEY_VARIABLES),
    });
  return new WebProvider({ engines, pages, seeds: settings.seeds, limits, clock, answered: settings.answered ?? [] });
}

type PageSettings = Pick<
  WebSettings,
  "sensitivity" | "allowedHosts" | "ports" | "contact" | "limits" | "politeness" | "unreached"
>;

/** Opens a reader of pages, with the fetch and the turns that requests to engines share with it. */
export function openPages(
  settings: PageSettings,
  { clock, extract, resolve = systemResolver, certificateAuthorities }: Omit<WebTools, "environment">,
): { pages: PageReader; fetch: GuardedFetch; turns: HostTurns } {
  const { maxPageBytes, pageMs, idleMs, cacheBytes } = { ...DEFAULT_WEB_LIMITS, ...settings.limits };
  const reach = new Reach(settings);
  const turns = new HostTurns(clock, { ...DEFAULT_POLITENESS, ...settings.politeness });
  const fetch = guardedFetch({
    reach,
    clock,
    resolve,
    userAgent: userAgentOf(settings.contact),
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  });
  const limits = { maxBytes: maxPageBytes, beyond: "refuse" as const, totalMs: pageMs, idleMs };
  const { unreached = [] } = settings;
  const pages = new PageReader({
    fetch,
    reach,
    turns,
    clock,
    extract,
    product: PRODUCT,
    cacheBytes,
    limits,
    unreached,
  });
  return { pages, fetch, turns };
}

function userAgentOf(contact: string | undefined): string {
  const about = contact === undefined ? "" : ` (+${contact.replace(/[^\x21-\x7e]/g, "").slice(0, 200)})`;
  return `${PRODUCT}/${packageJson.version}${about}`;
}

interface Parts {
  engines: readonly SearchEngine[];
  pages: PageReader;
  seeds: readonly string[];
  limits: WebLimits;
  clock: Clock;
  answered: readonly EngineAnswer[];
}

export class WebProvider implements Provider {
  readonly id = "web";
  readonly #parts: Parts;
  readonly #blocked: BlockedList;
  readonly #searches = new SharedAnswers<SearchHit[]>();
  readonly #answered: EngineAnswer[] = [];
  #queries = 0;
  /** The best pages of earlier searches, by URL. */
  readonly #known = new Map<string, SearchHit>();
  /** The seeds, and the pages to which they redirect on their own servers. */
  readonly #configured: Set<string>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#blocked = new BlockedList(parts.clock);
    this.#configured = new Set(parts.seeds.map(pageOf));
    for (const { query, hits } of parts.answered) {
      this.#searches.note(query, hits);
      this.#queries++;
      this.#remember(hits.slice(0, parts.limits.pagesPerSearch));
    }
  }

  /** Throws a `ProviderFailure` when no engine answered, or when no page could be read and some may be readable later. */
  async search(query: string, limit: number, signal: AbortSignal): Promise<Passage[]> {
    using deadline = new Deadline(this.#parts.clock, { totalMs: this.#parts.limits.searchMs }, signal);
    const hits = await this.#hits(query, deadline.signal, signal);
    const { pagesPerSearch } = this.#parts.limits;
    let wanted = hits?.slice(0, pagesPerSearch) ?? [...this.#known.values()];
    let read = await this.#readAll(wanted, deadline.signal, signal);
    // A page without its text takes the place of no other one.
    for (let gates = gatesIn(read.failures); ; gates = gatesIn(read.failures)) {
      const more = hits?.slice(0, pagesPerSearch + gates) ?? wanted;
      if (more.length <= wanted.length) break;
      wanted = more;
      read = await this.#readAll(wanted, deadline.signal, signal);
    }
    const { documents, found, failures } = read;
    this.#remember(wanted);
    const passing = failures.filter((failure) => failure.isPassing);
    if (documents.length === 0 && passing.length > 0) throw mostHopeful(passing);
    return await rankDocuments(documents, query, limit, hits === null ? [] : found);
  }

  async fetch(
    { origin, document_digest }: Pick<Passage, "origin" | "document_digest">,
    signal: AbortSignal,
  ): Promise<FetchOutcome> {
    return outcomeOf(await this.#readOrGone(origin, signal), document_digest);
  }

  /** Reads a page that a person or a model names by its URL. */
  async open(url: string, signal: AbortSignal): Promise<FetchOutcome> {
    return outcomeOf(await this.#readOrGone(url, signal));
  }

  takeBlocked(): BlockedUrl[] {
    return this.#blocked.take();
  }

  takeAnswered(): EngineAnswer[] {
    return this.#answered.splice(0);
  }

  close(): void {
    this.#parts.pages.close();
  }

  #remember(hits: readonly SearchHit[]): void {
    for (const hit of hits) if (this.#known.size < MOST_KNOWN) this.#known.set(pageOf(hit.url), hit);
  }

  // --- parts of a search --------------------------------------------------------------------------------------------

  /** The hits of an engine; null when the limit of queries is reached. */
  async #hits(query: string, deadline: AbortSignal, signal: AbortSignal): Promise<SearchHit[] | null> {
    const { engines, limits } = this.#parts;
    if (engines.length === 0) return [];
    if (this.#queries >= limits.mostQueries && !this.#searches.knows(query)) return this.#enough();
    try {
      return await this.#searches.answer(query, async () => {
        this.#queries++;
        const { hits, failures } = await searchEngines(engines, query, HITS_PER_SEARCH, deadline);
        for (const failure of failures) this.#blocked.note(failure);
        const answer = distinct(hits).filter(isAddress).map(asStored);
        this.#answered.push({ query: query.toWellFormed(), hits: answer });
        return answer;
      });
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof TooSlow ? refusal("too_slow", "search", error.message) : error;
      if (failure instanceof ProviderFailure) this.#blocked.note(failure);
      throw failure;
    }
  }

  /** Notes once that the limit is reached, for the report. */
  #enough(): null {
    const { mostQueries } = this.#parts.limits;
    if (this.#queries++ === mostQueries)
      this.#blocked.note(
        refusal(
          "search_limit",
          "search",
          `search engines were queried ${mostQueries} times; later searches are answered from the pages found by then`,
        ),
      );
    return null;
  }

  async #readAll(
    hits: readonly SearchHit[],
    deadline: AbortSignal,
    signal: AbortSignal,
  ): Promise<{ documents: ReadDocument[]; found: ReadDocument[]; failures: ProviderFailure[] }> {
    const all = distinct([...this.#parts.seeds.map((url) => ({ url, title: "" })), ...hits]);
    const outcomes = await Promise.all(all.map((hit) => this.#tryToRead(hit, deadline, signal)));
    const documents = new Map<string, ReadDocument>();
    const failures: ProviderFailure[] = [];
    for (const outcome of outcomes) {
      if (outcome instanceof ProviderFailure) failures.push(outcome);
      else documents.set(outcome.digest, documents.get(outcome.digest) ?? outcome);
    }
    const ofHits = hits.flatMap((hit) => {
      const outcome = outcomes[all.findIndex(({ url }) => pageOf(url) === pageOf(hit.url))];
      return outcome === undefined || outcome instanceof ProviderFailure ? [] : (documents.get(outcome.digest) ?? []);
    });
    return { documents: [...documents.values()], found: [...new Set(ofHits)], failures };
  }

  async #tryToRead(
    { url, title }: SearchHit,
    deadline: AbortSignal,
    signal: AbortSignal,
  ): Promise<ReadDocument | ProviderFailure> {
    try {
      return await this.#read(url, deadline, title);
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof TooSlow ? refusal("too_slow", url, "the search was over before it came") : error;
      if (!(failure instanceof ProviderFailure)) throw failure;
      this.#blocked.note(failure);
      return failure;
    }
  }

  async #readOrGone(url: string, signal: AbortSignal): Promise<ReadDocument | Gone> {
    // Other origins belong to other providers.
    if (!/^https?:/i.test(url)) return { kind: "gone", reason: "not a page of the web" };
    return await this.#blocked.unlessGone(this.#read(url, signal), signal);
  }

  async #read(url: string, signal: AbortSignal, title?: string): Promise<ReadDocument> {
    const page = pageOf(url);
    const isConfigured = this.#configured.has(page);
    const document = await this.#parts.pages.read(page, isConfigured ? "configured" : "named", signal, title);
    if (isConfigured && new URL(document.origin).origin === new URL(page).origin) this.#configured.add(document.origin);
    return document;
  }
}

function gatesIn(failures: readonly ProviderFailure[]): number {
  return failures.filter(({ failure }) => failure.detail.startsWith(BEHIND_GATE)).length;
}

const HITS_PER_SEARCH = 15;
const MAX_ADDRESS = 2_000;
/** The most pages that are searched again once the limit of queries is reached. */
const MOST_KNOWN = 64;

/** False for an empty URL, and for one that is too long to be read. Such hits are not stored. */
function isAddress({ url }: SearchHit): boolean {
  return url !== "" && url.length <= MAX_ADDRESS;
}

/** The hit in the form in which it can be stored, so that a later process sees the same. Half characters cannot be stored. */
function asStored({ url, title }: SearchHit): SearchHit {
  return { url: url.toWellFormed(), title: shortened(title, MAX_TITLE_LENGTH).toWellFormed() };
}

function distinct(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ url }) => {
    const page = pageOf(url);
    if (seen.has(page)) return false;
    seen.add(page);
    return true;
  });
}
