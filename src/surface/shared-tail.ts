// One tail of a run's journal for any number of readers: what is new is read once and handed to all of them.
import type { Clock } from "../ports/clock.ts";
import type { LogTail, RunLog } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/record.ts";

/** The newest records stay in memory, once for all readers. A reader that is further behind reads the journal by itself. */
const MAX_KEPT = 1_000;
/** Readers that ask within this time share one look at the journal. */
const FRESH_MS = 100;

export interface SharedTailOptions {
  store: Pick<RunLog, "follow">;
  clock: Pick<Clock, "uptimeMs">;
  runRoot: string;
  /** Where the shared reading begins. */
  afterSeq: number;
  maxKept?: number;
}

export class SharedTail {
  readonly #options: SharedTailOptions;
  readonly #tail: LogTail;
  #kept: AnyRecord[] = [];
  #lastSeq: number;
  #readAtMs = -Infinity;
  #reading: Promise<AnyRecord[]> | null = null;

  constructor(options: SharedTailOptions) {
    this.#options = options;
    this.#tail = options.store.follow(options.runRoot, options.afterSeq);
    this.#lastSeq = options.afterSeq;
  }

  /** A reader with a place of its own. However slow it is, it misses no record, gets none twice, and costs the others nothing. */
  reader(afterSeq: number): LogTail {
    let seq = afterSeq;
    return {
      next: async () => {
        const records = await this.#behind(seq);
        seq = records.at(-1)?.seq ?? seq;
        return records;
      },
    };
  }

  async #behind(seq: number): Promise<AnyRecord[]> {
    const fresh = await this.#readOn();
    if (seq >= this.#lastSeq) return [];
    const known = [fresh, this.#kept].find(([first]) => first !== undefined && first.seq <= seq + 1);
    if (known !== undefined) return known.filter((record) => record.seq > seq);
    return await this.#options.store.follow(this.#options.runRoot, seq).next();
  }

  /** What is new, read once for all who ask meanwhile. */
  async #readOn(): Promise<AnyRecord[]> {
    if (this.#reading !== null) return await this.#reading;
    const nowMs = this.#options.clock.uptimeMs();
    if (nowMs - this.#readAtMs < FRESH_MS) return [];
    this.#readAtMs = nowMs;
    this.#reading = this.#read();
    try {
      return await this.#reading;
    } finally {
      this.#reading = null;
    }
  }

  async #read(): Promise<AnyRecord[]> {
    const records = await this.#tail.next();
    this.#lastSeq = records.at(-1)?.seq ?? this.#lastSeq;
    this.#kept = [...this.#kept, ...records].slice(-(this.#options.maxKept ?? MAX_KEPT));
    return records;
  }
}
