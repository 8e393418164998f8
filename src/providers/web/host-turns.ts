// Politeness: one request at a time per host, a pause between two, and none at all while the host asked for peace.
import type { Clock } from "../../ports/clock.ts";
import { retryAfterMs } from "../../kernel/retry-after.ts";
import { timestamp } from "../../ports/clock.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import { abortable } from "../deadline.ts";
import { refusal } from "./reach.ts";

export interface PolitenessOptions {
  /** The least time from the end of one request to the start of the next. */
  minDelayMs: number;
  /** A Crawl-delay beyond this is honoured up to it. */
  maxCrawlDelayMs: number;
  /** A host that asks for no more patience than this is waited for; beyond it the request fails. */
  patienceMs: number;
}

export const DEFAULT_POLITENESS: PolitenessOptions = { minDelayMs: 1_000, maxCrawlDelayMs: 30_000, patienceMs: 20_000 };

interface Turns {
  last: Promise<void>;
  /** By uptime. */
  nextMs: number;
  delayMs: number;
  /** What the host said, and until when by the wall clock; null for ever. */
  held: { failure: ProviderFailure; untilMs: number | null } | null;
}

export class HostTurns {
  readonly #clock: Clock;
  readonly #options: PolitenessOptions;
  readonly #hosts = new Map<string, Turns>();

  constructor(clock: Clock, options: PolitenessOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Waits for the turn; it ends when the result is disposed of. Throws what the host said while it is held. */
  async take(host: string, signal: AbortSignal): Promise<Disposable> {
    const turns = this.#of(host);
    const before = turns.last;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    // A caller that gives up waiting still keeps its place until those before it are done.
    turns.last = Promise.all([before, promise]).then(() => {});
    try {
      await abortable(before, signal);
      await this.#waitWhileHeld(turns, signal);
      await this.#clock.sleep(Math.max(0, turns.nextMs - this.#clock.uptimeMs()), signal);
    } catch (error) {
      end();
      throw error;
    }
    return {
      [Symbol.dispose]: () => {
        turns.nextMs = this.#clock.uptimeMs() + turns.delayMs;
        end();
      },
    };
  }

  setCrawlDelay(host: string, delayMs: number): void {
    const { minDelayMs, maxCrawlDelayMs } = this.#options;
    this.#of(host).delayMs = Math.max(minDelayMs, Math.min(delayMs, maxCrawlDelayMs));
  }

  /** The next request need not wait: the last one only asked for leave. */
  skipPause(host: string): void {
    this.#of(host).nextMs = 0;
  }

  /** No request to the host before this time; without one, none any more. */
  hold(host: string, failure: ProviderFailure, untilMs: number | null): void {
    this.#of(host).held = { failure, untilMs };
  }

  /** Whether the host will be asked again within our patience. */
  isWorthWaiting(host: string): boolean {
    const { held } = this.#of(host);
    if (held === null) return true;
    return held.untilMs !== null && held.untilMs - this.#clock.nowMs() <= this.#options.patienceMs;
  }

  async #waitWhileHeld(turns: Turns, signal: AbortSignal): Promise<void> {
    const { held } = turns;
    if (held === null) return;
    const leftMs = held.untilMs === null ? Infinity : held.untilMs - this.#clock.nowMs();
    if (leftMs > this.#options.patienceMs) throw held.failure;
    turns.held = null;
    await this.#clock.sleep(Math.max(0, leftMs), signal);
  }

  #of(host: string): Turns {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const turns: Turns = { last: Promise.resolve(), nextMs: 0, delayMs: this.#options.minDelayMs, held: null };
    this.#hosts.set(host, turns);
    return turns;
  }
}

/** Used when a host says that there were too many requests, and not when to come again. */
const DEFAULT_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 7 * 86_400_000;

/** 429, and 503 with a Retry-After, are a plea for patience; null for every other answer. */
export function throttled(
  { status, headers, url }: { status: number; headers: Headers; url: string },
  nowMs: number,
): { failure: ProviderFailure; untilMs: number } | null {
  const askedForMs = retryAfterMs(headers.get("retry-after"), nowMs);
  if (status !== 429 && !(status === 503 && askedForMs !== null)) return null;
  const untilMs = nowMs + Math.min(Math.max(askedForMs ?? DEFAULT_RETRY_MS, 0), LONGEST_RETRY_MS);
  const { failure } = refusal("rate_limited", url, `status ${status}: too many requests`);
  return {
    failure: new ProviderFailure({ ...failure, http_status: status, retry_at: timestamp(untilMs) }),
    untilMs,
  };
}
