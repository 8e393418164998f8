// Follows a journal that another process writes: reads what is new, and returns what is durable.
import { errnoOf, RunError } from "../../kernel/errors.ts";
import type { LogTail } from "../../ports/run-log.ts";
import { CHAIN_START, scanJournal } from "../../run/log/journal.ts";
import type { ChainHead } from "../../run/log/record-seal.ts";
import type { AnyRecord, PlacedRecord } from "../../run/log/record.ts";
import { judgeForLook } from "../lease/lease-reading.ts";
import { HEAD_FILE, JOURNAL_FILE } from "../../run/log/layout.ts";
import { decodeHead } from "../journal/head-note.ts";
import { findJournal, knownRecords, MAX_JOURNAL_BYTES, readNote, refuseDamage } from "../journal/stored-journal.ts";
import { makeDurable } from "./durability.ts";
import type { Machine } from "../disk/machine.ts";

/** How often a wait looks whether the journal has grown. */
const LOOK_EVERY_MS = 50;

export class FileJournalTail implements LogTail {
  readonly #machine: Machine;
  readonly #runRoot: string;
  /** Records up to this one are not returned. It becomes 0 once it was passed, since after a repair lower numbers are new. */
  #afterSeq: number;
  /** The file that was read last. `#end` and `#head` are those of the last record that was returned. */
  #identity: string | null = null;
  #end = 0;
  #head: ChainHead = CHAIN_START;
  /** The journal as it was at the last call. */
  #seen = "";

  constructor(machine: Machine, runRoot: string, afterSeq: number) {
    this.#machine = machine;
    this.#runRoot = runRoot;
    this.#afterSeq = afterSeq;
  }

  async next(): Promise<AnyRecord[]> {
    try {
      this.#seen = await this.#mark();
      return await this.#next();
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      throw new RunError("NOT_FOUND", { reason: "the run is gone", run_root: this.#runRoot }, { cause: error });
    }
  }

  async wait(atMostMs: number, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#machine;
    const untilMs = clock.uptimeMs() + atMostMs;
    for (;;) {
      signal?.throwIfAborted();
      const mark = await this.#mark();
      const leftMs = untilMs - clock.uptimeMs();
      if (mark !== this.#seen || leftMs <= 0) {
        this.#seen = mark;
        return;
      }
      await clock.sleep(Math.min(LOOK_EVERY_MS, leftMs), signal);
    }
  }

  /** Changes with each record, and again when its owner notes it as durable. */
  async #mark(): Promise<string> {
    const { files } = this.#machine;
    const facts = await files.facts(`${this.#runRoot}/${JOURNAL_FILE}`);
    const noted = decodeHead(await readNote(files, `${this.#runRoot}/${HEAD_FILE}`))?.seq ?? 0;
    return `${facts?.identity} ${facts?.size} ${noted}`;
  }

  async #next(): Promise<AnyRecord[]> {
    const { files } = this.#machine;
    const path = await findJournal(files, this.#runRoot);
    const noted = await knownRecords(files, this.#runRoot);
    const records = await this.#read(path);
    const isAllNoted = (records.at(-1)?.record.seq ?? 0) <= noted;
    const durable =
      isAllNoted || (await this.#makeDurable()) ? records : records.filter(({ record }) => record.seq <= noted);
    this.#goBehind(durable.at(-1));
    const wanted = durable.map(({ record }) => record).filter(({ seq }) => seq > this.#afterSeq);
    if (this.#head.seq >= this.#afterSeq) this.#afterSeq = 0;
    return wanted;
  }

  /**
   * Records up to the note are durable. Later ones may be unsynced, also when no owner holds the lease: an owner that died
   * before its fsync, or whose fsync failed, leaves such records. Then this process makes them durable. False while an owner
   * holds the lease, since that owner syncs them.
   */
  async #makeDurable(): Promise<boolean> {
    if (await this.#isHeld()) return false;
    try {
      await makeDurable(this.#machine, this.#runRoot);
      return true;
    } catch (error) {
      if (error instanceof RunError && error.code === "LOCK_HELD") return false;
      throw error;
    }
  }

  async #isHeld(): Promise<boolean> {
    const names = await this.#machine.files.list(this.#runRoot);
    return (await judgeForLook(this.#machine, this.#runRoot, names)).kind === "held";
  }

  /** The records that count behind the last one that was returned. */
  async #read(path: string): Promise<PlacedRecord[]> {
    const handle = await this.#machine.files.open(path, "read");
    try {
      const { identity, size } = await handle.facts();
      if (size > MAX_JOURNAL_BYTES)
        throw new RunError("INTEGRITY_ERROR", { reason: "the journal is larger than a journal can be", path });
      if (identity === this.#identity && size >= this.#end) {
        const scan = scanJournal(await handle.readAt(this.#end, size - this.#end), this.#end, this.#head);
        // What looks like damage may hang on a record before the tail. Only the whole journal can show that.
        if (scan.damage === null && scan.newer === null) return scan.records;
      }
      const whole = scanJournal(await handle.readAt(0, size));
      refuseDamage(whole, path);
      this.#identity = identity;
      return this.#placeAnew(whole.records);
    } finally {
      await handle.close();
    }
  }

  /** A repair may have dropped records that were returned. Then the tail continues with what later owners wrote. */
  #placeAnew(records: readonly PlacedRecord[]): PlacedRecord[] {
    const { seq, epoch, digest } = this.#head;
    const isSameChain = seq === 0 || records[seq - 1]?.record.digest === digest;
    const known = isSameChain ? seq : records.filter(({ record }) => record.epoch <= epoch).length;
    this.#head = CHAIN_START;
    this.#end = 0;
    this.#goBehind(records[known - 1]);
    return records.slice(known);
  }

  #goBehind(placed: PlacedRecord | undefined): void {
    if (placed === undefined) return;
    const { seq, epoch, digest } = placed.record;
    this.#head = { seq, epoch, digest };
    this.#end = placed.end;
  }
}
