// Remembers what could not be reached until somebody asks.
import type { Gone } from "./documents.ts";
import type { Clock } from "../ports/clock.ts";
import { blockedUrlOf, ProviderFailure } from "../ports/provider-failure.ts";
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

  /** What fails for good is gone; what may work later is thrown, so that it is tried again. Both are noted. */
  async unlessGone<T>(reading: Promise<T>, signal: AbortSignal): Promise<T | Gone> {
    try {
      return await reading;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailure)) throw error;
      this.note(error);
      if (error.isPassing) throw error;
      return { kind: "gone", reason: `${error.failure.reason}: ${error.failure.detail}` };
    }
  }

  /** What was noted since the last time. */
  take(): BlockedUrl[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}
