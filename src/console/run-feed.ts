// The feed of one run for every client that follows it: one look at the journal wakes all of them.
import type { Ports } from "../ports/ports.ts";
import type { LogTail } from "../ports/run-log.ts";
import { SharedTail } from "../surface/shared-tail.ts";

/** While something happens. */
const QUICK_MS = 100;
/** Once nothing has happened for `QUIET_MS`. */
const SLOW_MS = 400;
const QUIET_MS = 60_000;
/** A client that hears nothing at all for so long may think that nobody is there. */
const HEARTBEAT_MS = 15_000;
/** What models say is no record: a client that is behind does without. */
const MAX_LIVE = 256;

export class RunFeed {
  readonly #ports: Pick<Ports, "clock" | "store">;
  readonly #tail: SharedTail;
  readonly #afterSeq: number;
  readonly #live = new Set<string[]>();
  #news = Promise.withResolvers<void>();
  #hurry = new AbortController();
  #failure: unknown = null;

  /** `afterSeq`: the newest record that is known of. */
  constructor(ports: Pick<Ports, "clock" | "store">, runRoot: string, afterSeq: number) {
    this.#ports = ports;
    this.#afterSeq = afterSeq;
    this.#tail = new SharedTail({ store: ports.store, clock: ports.clock, runRoot, afterSeq });
  }

  /** Resolves when there is something new, or it is time for a sign of life. Errors: why the run cannot be followed. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  get clients(): number {
    return this.#live.size;
  }

  reader(afterSeq: number): LogTail {
    return this.#tail.reader(afterSeq);
  }

  /** What models say, as it comes; the client takes it out. */
  join(): string[] {
    const live: string[] = [];
    this.#live.add(live);
    if (this.#live.size === 1) void this.#watch();
    return live;
  }

  leave(live: string[]): void {
    this.#live.delete(live);
    if (this.#live.size === 0) this.#hurry.abort();
  }

  /** Something that is not durable. */
  say(event: string): void {
    for (const live of this.#live) if (live.length < MAX_LIVE) live.push(event);
    this.#wake();
  }

  /** A record has just become durable. */
  hurry(): void {
    this.#hurry.abort();
  }

  async #watch(): Promise<void> {
    const { clock } = this.#ports;
    const own = this.reader(this.#afterSeq);
    let newsAtMs = clock.uptimeMs();
    let wokenAtMs = newsAtMs;
    try {
      while (this.#live.size > 0) {
        const records = await own.next();
        const nowMs = clock.uptimeMs();
        if (records.length > 0) newsAtMs = nowMs;
        if (records.length > 0 || nowMs - wokenAtMs >= HEARTBEAT_MS) {
          wokenAtMs = nowMs;
          this.#wake();
        }
        this.#hurry = new AbortController();
        await clock
          .sleep(nowMs - newsAtMs < QUIET_MS ? QUICK_MS : SLOW_MS, this.#hurry.signal)
          .catch(() => (newsAtMs = clock.uptimeMs()));
      }
    } catch (error) {
      this.#failure = error;
      this.#wake();
    }
  }

  #wake(): void {
    const { resolve, reject } = this.#news;
    this.#news = Promise.withResolvers();
    // Whoever asks later is told as well.
    if (this.#failure !== null) this.#news.reject(this.#failure);
    this.#news.promise.catch(() => {});
    if (this.#failure === null) resolve();
    else reject(this.#failure);
  }
}
