// Remembers what could not be reached until somebody asks.
import type { Clock } from "../ports/clock.ts";
import { blockedUrlOf, type ProviderFailure } from "../ports/provider-failure.ts";
import { MAX_BLOCKED_URLS, type BlockedUrl } from "../run/blocked-urls.ts";

export class BlockedList {
  readonly #clock: Clock;
  #entries: BlockedUrl[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(failure: ProviderFailure): void {
    if (this.#entries.length < MAX_BLOCKED_URLS) this.#entries.push(blockedUrlOf(failure, this.#clock.nowMs()));
  }

  /** What was noted since the last time. */
  take(): BlockedUrl[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}
