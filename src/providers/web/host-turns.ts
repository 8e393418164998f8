// Gives requests to a host their turns: one at a time, with a pause between two, and none while the host requires a wait.
import type { Clock } from "../../ports/clock.ts";
import { retryAfterMs } from "../../kernel/retry-after.ts";
import { timestamp } from "../../ports/clock.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import { abortable } from "../deadline.ts";
import { refusal } from "./reach.ts";

export interface PolitenessOptions {
  /** The shortest pause from the end of one request to the start of the next. */
  minDelayMs: number;
  /** A longer Crawl-delay counts as this. */
  maxCrawlDelayMs: number;
  /** The longest wait that a host may ask for. If it asks for more, the request fails. */
  patienceMs: number;
}

export const DEFAULT_POLITENESS: PolitenessOptions = { minDelayMs: 1_000, maxCrawlDelayMs: 30_000, patienceMs: 20_000 };

interface Turns {
  last: Promise<void>;
  /** The earliest start of the next request, by uptime. */
  nextMs: number;
  delayMs: number;
  /** The refusal of the host, and its end by the wall clock; `untilMs` is null for no end. */
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

  /** Waits for the turn, which ends when the result is disposed of. Throws the refusal of a host that is held for too long. */
  async take(host: string, signal: AbortSignal): Promise<Disposable> {
    const turns = this.#of(host);
    const before = turns.last;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    // A caller that gives up keeps its place until those before it are done, so that no other one comes too early.
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

  /** Lets the next request start at once, since the last one only read robots.txt. */
  skipPause(host: string): void {
    this.#of(host).nextMs = 0;
  }

  /** Refuses requests to the host before `untilMs`, or all of them when it is null. */
  hold(host: string, failure: ProviderFailure, untilMs: number | null): void {
    this.#of(host).held = { failure, untilMs };
  }

  /** True when the next request to the host may be sent within our patience. */
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

/** For a host that says too many requests without a time. */
const DEFAULT_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 7 * 86_400_000;

/** The refusal in a status 429, or in a 503 with Retry-After; null for any other answer. */
export function throttled(
  { status, headers, url }: { status: number; headers: Headers; url: string },
  nowMs: number,
): { failure: ProviderFailure; untilMs: number } | null {
  const requestedMs = retryAfterMs(headers.get("retry-after"), nowMs);
  if (status !== 429 && !(status === 503 && requestedMs !== null)) return null;
  const untilMs = nowMs + Math.min(Math.max(requestedMs ?? DEFAULT_RETRY_MS, 0), LONGEST_RETRY_MS);
  const { failure } = refusal("rate_limited", url, `status ${status}: too many requests`);
  return {
    failure: new ProviderFailure({ ...failure, http_status: status, retry_at: timestamp(untilMs) }),
    untilMs,
  };
}
