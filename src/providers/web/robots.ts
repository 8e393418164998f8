// Obeys the rules of a site for programs: robots.txt by RFC 9309, which is read once per site and run.
import robotsParser from "robots-parser";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import type { FetchLimits, GuardedResponse } from "./guarded-fetch.ts";
import { refusal, type Trust } from "./reach.ts";
import type { HostTurns } from "./host-turns.ts";

/** The RFC requires at least 500 KiB. Bytes beyond them are not read. */
export const ROBOTS_LIMITS: FetchLimits = { maxBytes: 500 * 1024, beyond: "cut", totalMs: 15_000, idleMs: 10_000 };

/** Fetches robots.txt, and follows redirects. */
export type FetchRobots = (url: string, trust: Trust, signal: AbortSignal) => Promise<GuardedResponse>;

type Rules = Pick<ReturnType<typeof robotsParser>, "isDisallowed" | "getCrawlDelay"> | "unreachable";

export class Robots {
  readonly #product: string;
  readonly #fetch: FetchRobots;
  readonly #turns: HostTurns;
  readonly #known = new Map<string, Promise<Rules>>();

  /** `product` is the first word of the User-Agent, in lower case. Sites write rules for it. */
  constructor(product: string, fetch: FetchRobots, turns: HostTurns) {
    this.#product = product;
    this.#fetch = fetch;
    this.#turns = turns;
  }

  /** Throws a `ProviderFailure` when the rules forbid the page, or when they cannot be fetched. */
  async judge(url: URL, trust: Trust, signal: AbortSignal): Promise<void> {
    const rules = await this.#rulesOf(url, trust, signal);
    if (rules === "unreachable")
      throw refusal("robots", url.href, "the server fails to send robots.txt, which forbids all pages");
    if (rules.isDisallowed(url.href, this.#product) === true)
      throw refusal("robots", url.href, `robots.txt forbids it to ${this.#product}`);
  }

  #rulesOf(url: URL, trust: Trust, signal: AbortSignal): Promise<Rules> {
    const known = this.#known.get(url.origin);
    if (known !== undefined) return known;
    const rules = this.#fetchRules(url, trust, signal);
    this.#known.set(url.origin, rules);
    // After a failure of the network, the next request fetches the rules again.
    rules.catch(() => this.#known.delete(url.origin));
    return rules;
  }

  async #fetchRules(url: URL, trust: Trust, signal: AbortSignal): Promise<Rules> {
    const place = `${url.origin}/robots.txt`;
    const answer = await this.#read(place, trust, signal);
    if (answer === null) return robotsParser(place, "");
    if (answer.status >= 500) return "unreachable";
    const isFound = answer.status >= 200 && answer.status < 300;
    const rules = robotsParser(place, isFound ? groupsFor(new TextDecoder().decode(answer.bytes), this.#product) : "");
    const delayS = rules.getCrawlDelay(this.#product);
    if (delayS !== undefined && Number.isFinite(delayS)) this.#turns.setCrawlDelay(url.host, delayS * 1_000);
    return rules;
  }

  /** Null when robots.txt redirects without end, which counts as missing. Other failures are thrown. */
  async #read(place: string, trust: Trust, signal: AbortSignal): Promise<GuardedResponse | null> {
    try {
      return await this.#fetch(place, trust, signal);
    } catch (error) {
      if (error instanceof ProviderFailure && error.failure.reason === "too_many_redirects") return null;
      throw error;
    }
  }
}

const RULES: ReadonlySet<string> = new Set(["allow", "disallow", "crawl-delay"]);

/**
 * The groups for this program or for all programs. The parser keeps each rule for each name of its group, so thousands of names
 * and rules would fill the memory.
 */
export function groupsFor(text: string, product: string): string {
  const kept: string[] = [];
  let own: string[] = [];
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [stated = ""] = line.split("#", 1);
    const colon = stated.indexOf(":");
    const field = stated.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (field === "") continue;
    if (field === "user-agent") {
      const [word = ""] = stated.slice(colon + 1).split("/", 1);
      const name = word.trim().toLowerCase();
      if (!isNaming) own = [];
      if ((name === product || name === "*") && !own.includes(name)) own.push(name);
    } else if (RULES.has(field) && own.length > 0) {
      // Groups of one name count as one, so each rule may have a group of its own.
      kept.push(...own.map((name) => `User-agent: ${name}`), stated);
    }
    isNaming = field === "user-agent";
  }
  return kept.join("\n");
}
