// One tail of a run's journal for any number of readers: each new record is read once and passed to all of them.
import type { Clock } from "../ports/clock.ts";
import type { LogTail, RunLog } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/log/record.ts";

/** How many of the newest records stay in memory for all readers. A reader that is further behind reads the journal itself. */
const MAX_KEPT = 1_000;
/** Readers that ask within this time share one reading of the journal. */
const FRESH_MS = 100;

export interface SharedTailOptions {
  store: Pick<RunLog, "follow">;
  clock: Pick<Clock, "uptimeMs">;
  runRoot: string;
  /** Where the shared reading begins. */
  afterSeq: number;
  maxKept?: number;
}

/** Records in the order in which they came. `before`: how many had come before them. */
interface Batch {
  before: number;
  records: readonly AnyRecord[];
}

/** How far a reader is: the number of shared records that it has had, or the tail that it reads itself. */
type Place = { had: number } | { alone: LogTail };

export class SharedTail {
  readonly #options: SharedTailOptions;
  readonly #tail: LogTail;
  #kept: Batch = { before: 0, records: [] };
  #lastSeq: number;
  /** A repair that drops records makes the numbers begin anew behind `afterSeq`. `before`: how many records had come by then. */
  readonly #setBacks: { before: number; afterSeq: number }[] = [];
  #readAtMs = -Infinity;
  #reading: Promise<Batch> | null = null;

  constructor(options: SharedTailOptions) {
    this.#options = options;
    this.#tail = options.store.follow(options.runRoot, options.afterSeq);
    this.#lastSeq = options.afterSeq;
  }

  /** A reader with its own place. However slow it is, it gets every record once, and the others do not wait for it. */
  reader(afterSeq: number): LogTail {
    let place: Place | null = null;
    let last: AnyRecord | null = null;
    return {
      next: async () => {
        const fresh = await this.#readOn();
        place ??= this.#placeAt(afterSeq);
        if ("alone" in place && last !== null) place = this.#placeBehind(last) ?? place;
        const shared = "had" in place ? sharedBehind(place.had, [this.#kept, fresh]) : null;
        if ("had" in place && shared === null) place = this.#alone(this.#seqToGoOn(place.had, last?.seq ?? afterSeq));
        const records = "alone" in place ? await place.alone.next() : (shared ?? []);
        if ("had" in place) place = { had: place.had + records.length };
        last = records.at(-1) ?? last;
        return [...records];
      },
      wait: async (atMostMs, signal) => {
        await this.#tail.wait(atMostMs, signal);
        // What was read before is old.
        this.#readAtMs = -Infinity;
      },
    };
  }

  #alone(afterSeq: number): Place {
    return { alone: this.#options.store.follow(this.#options.runRoot, afterSeq) };
  }

  /** The place of a reader that has had nothing yet. */
  #placeAt(afterSeq: number): Place {
    const { before, records } = this.#kept;
    const index = records.findLastIndex(({ seq }) => seq === afterSeq);
    if (index >= 0) return { had: before + index + 1 };
    return afterSeq === this.#options.afterSeq ? { had: 0 } : this.#alone(afterSeq);
  }

  /** Null where the record is not kept, because it was not read yet or is forgotten. */
  #placeBehind({ digest }: AnyRecord): Place | null {
    const { before, records } = this.#kept;
    const index = records.findLastIndex((record) => record.digest === digest);
    return index < 0 ? null : { had: before + index + 1 };
  }

  /** A repair may have dropped the last record of the reader since. */
  #seqToGoOn(had: number, seq: number): number {
    const since = this.#setBacks.filter(({ before }) => before >= had);
    return Math.min(seq, ...since.map(({ afterSeq }) => afterSeq));
  }

  /** Reads what is new, once for all who ask at the same time. */
  async #readOn(): Promise<Batch> {
    if (this.#reading !== null) return await this.#reading;
    const nowMs = this.#options.clock.uptimeMs();
    if (nowMs - this.#readAtMs < FRESH_MS) return this.#kept;
    this.#readAtMs = nowMs;
    this.#reading = this.#read();
    try {
      return await this.#reading;
    } finally {
      this.#reading = null;
    }
  }

  async #read(): Promise<Batch> {
    const records = await this.#tail.next();
    const before = this.#kept.before + this.#kept.records.length;
    const [first] = records;
    if (first !== undefined && first.seq <= this.#lastSeq) this.#setBacks.push({ before, afterSeq: first.seq - 1 });
    this.#lastSeq = records.at(-1)?.seq ?? this.#lastSeq;
    const all = [...this.#kept.records, ...records];
    const kept = all.slice(-(this.#options.maxKept ?? MAX_KEPT));
    this.#kept = { before: this.#kept.before + all.length - kept.length, records: kept };
    return { before, records };
  }
}

/** Null where none of the batches reaches back so far. */
function sharedBehind(had: number, batches: readonly Batch[]): readonly AnyRecord[] | null {
  const batch = batches.find(({ before }) => before <= had);
  return batch === undefined ? null : batch.records.slice(had - batch.before);
}
