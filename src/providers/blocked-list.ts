// Gathers failures to reach something, until the run takes them.
import type { Gone } from "./documents.ts";
import type { Clock } from "../ports/clock.ts";
import { blockedUrlOf, ProviderFailure } from "../ports/provider-failure.ts";
import { MAX_BLOCKED_URLS, type BlockedUrl } from "../run/report/blocked-urls.ts";

export class BlockedList {
  readonly #clock: Clock;
  #entries: BlockedUrl[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(failure: ProviderFailure): void {
    if (this.#entries.length < MAX_BLOCKED_URLS) this.#entries.push(blockedUrlOf(failure, this.#clock.nowMs()));
  }

  /** Notes a failure of the reading. One for good becomes `gone`; one that may pass is thrown, so that it is tried again. */
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

  /** The failures since the last call. */
  take(): BlockedUrl[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}
