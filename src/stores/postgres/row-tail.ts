// Follows the journal of a run in rows. The server announces new records where a reader waits for them.
import type { Clock } from "../../ports/clock.ts";
import type { LogTail } from "../../ports/run-log.ts";
import { scanJournal } from "../../run/log/journal.ts";
import { readRecordPlace, type ChainHead } from "../../run/log/record-seal.ts";
import type { AnyRecord } from "../../run/log/record.ts";
import { refuseDamage } from "../journal/stored-journal.ts";
import type { Database } from "./database.ts";
import { journalBytes } from "./row-folder.ts";
import { noRun, placeOf, type JournalLine } from "./run-row.ts";

/** How long an owner announces its records. A wait asks for it anew after half of that. */
const FOLLOWED_MS = 20_000;
/** At the latest then a wait looks itself: a connection that was cut announces nothing. */
const LOOK_MS = 2_000;
const LINES_AT_ONCE = 500;

export class RowTail implements LogTail {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #runRoot: string;
  #id: string | null = null;
  #head: ChainHead;
  /** The newest record that a `next` or a `wait` has met. */
  #met: number;
  #followedAtMs = Number.NEGATIVE_INFINITY;

  constructor(database: Database, clock: Clock, runRoot: string, afterSeq: number) {
    this.#database = database;
    this.#clock = clock;
    this.#runRoot = runRoot;
    this.#head = { seq: afterSeq, epoch: 0, digest: null };
    this.#met = afterSeq;
  }

  async next(): Promise<AnyRecord[]> {
    const records: AnyRecord[] = [];
    for (;;) {
      const lines = await this.#lines();
      if (lines.length > 0) records.push(...this.#scan(lines));
      if (lines.length < LINES_AT_ONCE) break;
    }
    this.#met = Math.max(this.#met, this.#head.seq);
    return records;
  }

  /** Those behind the head. Where only its number is known, it comes first, and says where the chain continues. Errors: `NOT_FOUND`. */
  async #lines(): Promise<JournalLine[]> {
    const { root, name } = placeOf(this.#runRoot);
    const { seq, digest } = this.#head;
    const isNew = seq > 0 && digest === null;
    const rows = await this.#database.rows<{ id: string; at: string | null; line: string | null }>(
      `select r.id, l.at, l.line from {dr}.run r left join {dr}.record l on l.run = r.id and l.seq >= $3
        where r.root = $1 and r.name = $2 order by l.seq limit ${LINES_AT_ONCE}`,
      [root, name, isNew ? seq : seq + 1],
    );
    const id = rows[0]?.id;
    // Another run in the place of one that was removed is another log.
    if (id === undefined || (this.#id !== null && this.#id !== id)) throw noRun(this.#runRoot);
    this.#id = id;
    const lines = rows.flatMap(({ at, line }) => (line === null ? [] : [{ at: Number(at), line }]));
    const [first] = lines;
    if (!isNew || first === undefined) return lines;
    this.#head = readRecordPlace(first.line) ?? this.#head;
    return lines.slice(1);
  }

  #scan(lines: readonly JournalLine[]): AnyRecord[] {
    const last = lines.at(-1) ?? { at: 0, line: "" };
    const from = (lines[0]?.at ?? 0) - 2;
    const end = last.at + Buffer.byteLength(last.line) + 1;
    const scan = scanJournal(journalBytes(lines, [], { from, end }), from, this.#head);
    refuseDamage(scan, this.#runRoot);
    this.#head = scan.head;
    return scan.records.map(({ record }) => record);
  }

  async wait(atMostMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const untilMs = this.#clock.uptimeMs() + atMostMs;
    if (await this.#hasMore()) return;
    let announced = Promise.withResolvers<void>();
    const over = new AbortController();
    const ends = AbortSignal.any([over.signal, ...(signal === undefined ? [] : [signal])]);
    const ear = await this.#database.hear((payload) => {
      if (payload === this.#id) announced.resolve();
    });
    try {
      for (;;) {
        announced = Promise.withResolvers();
        await this.#ask();
        // Also what came while it began to listen.
        if (await this.#hasMore()) return;
        const leftMs = untilMs - this.#clock.uptimeMs();
        if (leftMs <= 0) return;
        await Promise.race([announced.promise, this.#clock.sleep(Math.min(LOOK_MS, leftMs), ends)]);
        if (this.#clock.uptimeMs() >= untilMs) return;
      }
    } finally {
      over.abort();
      ear.stop();
    }
  }

  /** Whether there is more than `next` or `wait` has met; then it is met. */
  async #hasMore(): Promise<boolean> {
    const seq = await this.#newest();
    const isMore = seq > this.#met;
    this.#met = Math.max(this.#met, seq);
    return isMore;
  }

  async #newest(): Promise<number> {
    const { root, name } = placeOf(this.#runRoot);
    const [row] = await this.#database.rows<{ id: string; seq: number }>(
      "select id, seq from {dr}.run where root = $1 and name = $2",
      [root, name],
    );
    if (row === undefined) throw noRun(this.#runRoot);
    this.#id ??= row.id;
    return row.seq;
  }

  /** Has the owner announce its records for some time. */
  async #ask(): Promise<void> {
    const now = this.#clock.uptimeMs();
    if (now - this.#followedAtMs < FOLLOWED_MS / 2) return;
    this.#followedAtMs = now;
    const { root, name } = placeOf(this.#runRoot);
    await this.#database.rows("update {dr}.run set followed_ms = {dr}.now_ms() + $3 where root = $1 and name = $2", [
      root,
      name,
      FOLLOWED_MS,
    ]);
  }
}
