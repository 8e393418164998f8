// The feed of one run for all clients that follow it. One reading of the journal wakes all of them.
import type { Ports } from "../ports/ports.ts";
import type { LogTail } from "../ports/run-log.ts";
import { SharedTail } from "../surface/shared-tail.ts";

/** A client gets a sign of life this often, since it may take silence for a dead server. */
const HEARTBEAT_MS = 15_000;
/** What models say is no record: a client that is further behind than this misses some of it. */
const MAX_LIVE = 256;

export class RunFeed {
  readonly #ports: Pick<Ports, "clock" | "store">;
  readonly #tail: SharedTail;
  readonly #afterSeq: number;
  readonly #live = new Set<string[]>();
  #news = unheard();
  #hurry = new AbortController();
  #failure: unknown = null;

  /** `afterSeq`: the newest record that is known. */
  constructor(ports: Pick<Ports, "clock" | "store">, runRoot: string, afterSeq: number) {
    this.#ports = ports;
    this.#afterSeq = afterSeq;
    this.#tail = new SharedTail({ store: ports.store, clock: ports.clock, runRoot, afterSeq });
  }

  /** Resolves when there is something new, or when a sign of life is due. Errors: those of reading the journal. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  get clients(): number {
    return this.#live.size;
  }

  reader(afterSeq: number): LogTail {
    return this.#tail.reader(afterSeq);
  }

  /** A list for what models say. The client empties it. */
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

  /** Hands on an event that is not durable. */
  say(event: string): void {
    for (const live of this.#live) if (live.length < MAX_LIVE) live.push(event);
    this.#wake();
  }

  /** Called when a record has just become durable: the journal is read at once. */
  hurry(): void {
    this.#hurry.abort();
  }

  async #watch(): Promise<void> {
    const { clock } = this.#ports;
    const own = this.reader(this.#afterSeq);
    let wokenAtMs = clock.uptimeMs();
    try {
      while (this.#live.size > 0) {
        const records = await own.next();
        const nowMs = clock.uptimeMs();
        if (records.length > 0 || nowMs - wokenAtMs >= HEARTBEAT_MS) {
          wokenAtMs = nowMs;
          this.#wake();
        }
        this.#hurry = new AbortController();
        const { signal } = this.#hurry;
        await own.wait(wokenAtMs + HEARTBEAT_MS - nowMs, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      }
    } catch (error) {
      this.#failure = error;
      this.#wake();
    }
  }

  #wake(): void {
    const { resolve, reject } = this.#news;
    this.#news = unheard();
    // A client that joins later hears of it, too.
    if (this.#failure !== null) this.#news.reject(this.#failure);
    if (this.#failure === null) resolve();
    else reject(this.#failure);
  }
}

/** There may be no listener when it fails. */
function unheard(): PromiseWithResolvers<void> {
  const news = Promise.withResolvers<void>();
  news.promise.catch(() => {});
  return news;
}
