// How far a corpus is read, in words for the live lines: about how long it still takes, which file, which page.
import type { IndexProgress } from "../../ports/provider.ts";
import { count, duration, namedOnce } from "../../surface/words.ts";

/** Before that an estimate says little. */
const LEAST_MS = 3_000;
const LEAST_SHARE = 0.02;

export class Reading {
  #event: (IndexProgress & { corpus: string }) | null = null;
  #sinceMs = 0;
  #bytesBefore = 0;
  #endsMs: number | null = null;

  note(event: IndexProgress & { corpus: string }, uptimeMs: number): void {
    if (event.kind === "reading") this.#estimate(event, uptimeMs);
    this.#event = event;
  }

  /** What is done, and about how long it takes; nothing before the first event. */
  words(uptimeMs: number): { left: string; doing: string } {
    const event = this.#event;
    if (event === null) return { left: "", doing: "" };
    const { corpus } = event;
    if (event.kind === "writing") return { left: "", doing: `writing the index of ${corpus}` };
    if (event.kind === "waiting") {
      const most = duration(event.most_ms);
      return { left: "", doing: `waiting, at most ${most}, for another process that reads ${corpus}` };
    }
    const { read, total, path, page, pages } = event;
    const which = total === 1 ? "reading" : `reading ${read + 1} of ${total}`;
    const at = page === undefined ? "" : `, page ${page} of ${pages}`;
    const left = this.#endsMs === null ? "" : timeLeft(this.#endsMs - uptimeMs);
    return { left, doing: `${which}${at}: ${namedOnce(`${corpus}/${path}`)}` };
  }

  #estimate(event: Extract<IndexProgress, { kind: "reading" }> & { corpus: string }, uptimeMs: number): void {
    if (this.#event?.kind !== "reading" || this.#event.corpus !== event.corpus) {
      this.#sinceMs = uptimeMs;
      this.#bytesBefore = event.bytes_read;
      this.#endsMs = null;
    }
    const done = event.bytes_read - this.#bytesBefore;
    const share = done / Math.max(1, event.bytes_total - this.#bytesBefore);
    const elapsedMs = uptimeMs - this.#sinceMs;
    if (elapsedMs < LEAST_MS || share < LEAST_SHARE) return;
    this.#endsMs = uptimeMs + (elapsedMs * (1 - share)) / share;
  }
}

/** Rounded as coarsely as an estimate deserves. */
function timeLeft(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return "a few seconds left";
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${count(Math.round(minutes / 60), "hour")} left`;
}
