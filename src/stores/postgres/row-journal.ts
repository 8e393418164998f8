// The journal of a run as its owner appends to it: one statement for a commit, under the claim and behind the record that it knows.
import { RunError } from "../../kernel/errors.ts";
import { sealRecords, type SealedRecords } from "../../run/log/journal.ts";
import type { ChainHead } from "../../run/log/record-seal.ts";
import type { PlacedRecord, RecordDraft, RecordKind } from "../../run/log/record.ts";
import type { OwnerJournal } from "../owner/owner-commits.ts";
import type { Database } from "./database.ts";
import type { RowLease } from "./row-lease.ts";

/** After these a run may be due that was not. The manifest, which says when, is written behind them. */
const WAKES: ReadonlySet<string> = new Set<RecordKind>(["state.changed", "halt.raised", "halt.cleared"]);

/** In characters. */
const MAX_KEPT = 4_000_000;

export class RowJournal implements OwnerJournal {
  readonly #database: Database;
  readonly #id: string;
  readonly #lease: RowLease;
  #end: number;
  #head: ChainHead;
  /** By the byte where each begins. */
  readonly #lines = new Map<number, string>();
  #kept = 0;

  constructor(database: Database, id: string, lease: RowLease, known: { end: number; head: ChainHead }) {
    this.#database = database;
    this.#id = id;
    this.#lease = lease;
    this.#end = known.end;
    this.#head = known.head;
  }

  get end(): number {
    return this.#end;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** The line that begins at a byte; empty where none does. */
  async lineAt(offset: number): Promise<string> {
    const own = this.#lines.get(offset);
    if (own !== undefined) return own;
    const [found] = await this.#database.rows<{ line: string }>(
      "select line from {dr}.record where run = $1 and at = $2",
      [this.#id, offset],
    );
    return found?.line ?? "";
  }

  /** Results are read again by later steps, mostly by the owner that wrote them. */
  #keep(offset: number, line: string): void {
    this.#lines.set(offset, line);
    this.#kept += line.length;
    for (const [oldest, { length }] of this.#lines) {
      if (this.#kept <= MAX_KEPT) break;
      this.#lines.delete(oldest);
      this.#kept -= length;
    }
  }

  /** Errors: those of `sealRecords`. */
  seal(drafts: readonly RecordDraft[], epoch: number, ts: string): SealedRecords {
    return sealRecords(drafts, { end: this.#end, head: this.#head }, epoch, ts);
  }

  /**
   * Done twice, it appends once: the digest of the last record covers all before it, so it shows whether a lost answer was a yes.
   * Errors: `LOCK_LOST`, `UNAVAILABLE`.
   */
  async append({ placed, bytes, epoch }: SealedRecords): Promise<PlacedRecord[]> {
    const last = placed.at(-1);
    if (last === undefined) return [];
    const base = this.#end;
    const lines = placed.map(({ offset, end }) =>
      new TextDecoder().decode(bytes.subarray(offset - base, end - base - 1)),
    );
    const database = this.#database;
    const { seq, digest } = this.#head;
    const [answer] = await database.rows<{ requests: number }>(
      `with head as (
         update {dr}.run set seq = $5, epoch = $2, digest = $6, end_at = $7, wakes_ms = case when $8 then 0 else wakes_ms end
          where id = $1 and claim_epoch = $2 and seq = $3 and digest = $4 returning id, requests, followed_ms),
       added as (
         insert into {dr}.record (run, seq, at, line)
         select head.id, r.seq, r.at, r.line from head, unnest($9::int4[], $10::int8[], $11::text[]) as r (seq, at, line)),
       announced as (select pg_notify($12, head.id::text) from head where head.followed_ms > {dr}.now_ms())
       select head.requests, (select count(*)::int from announced) as announced from head`,
      [
        this.#id,
        epoch,
        seq,
        digest,
        last.record.seq,
        last.record.digest,
        last.end,
        placed.some(({ record }) => WAKES.has(record.kind)),
        database.integers(placed.map(({ record }) => record.seq)),
        database.longs(placed.map(({ offset }) => offset)),
        database.texts(lines),
        database.schema,
      ],
    );
    if (answer === undefined) await this.#requireOwn(last);
    else this.#lease.requests = answer.requests;
    for (const [at, { offset }] of placed.entries()) this.#keep(offset, lines[at] ?? "");
    this.#end = last.end;
    this.#head = { seq: last.record.seq, epoch, digest: last.record.digest };
    return placed;
  }

  /** Nothing was appended: an earlier try was, whose answer was lost, or this owner has lost the run. */
  async #requireOwn({ record }: PlacedRecord): Promise<void> {
    const [now] = await this.#database.rows<{ seq: number; digest: string; claim_epoch: number }>(
      "select seq, digest, claim_epoch from {dr}.run where id = $1",
      [this.#id],
    );
    if (now?.seq === record.seq && now.digest === record.digest) return;
    if (now?.claim_epoch !== this.#lease.record.epoch) throw await this.#lease.lostError();
    throw new RunError("INTEGRITY_ERROR", {
      reason: "the head of the journal was altered from outside",
      files: [{ path: "journal.jsonl", expected: `record ${this.#head.seq} at its end`, found: `record ${now.seq}` }],
    });
  }
}
