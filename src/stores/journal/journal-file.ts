// The journal on disk: the open file that its owner appends to, with checks around every commit.
import { describeCause, errnoOf, RunError } from "../../kernel/errors.ts";
import type { FileHandle, Files } from "../../ports/files.ts";
import type { HeldLease } from "../lease/lease-claim.ts";
import { scanFolded, scanJournal, sealRecords, type SealedRecords } from "../../run/log/journal.ts";
import type { ChainHead } from "../../run/log/record-seal.ts";
import type { PlacedRecord, RecordDraft } from "../../run/log/record.ts";
import { HEAD_FILE } from "../../run/log/layout.ts";
import { isOddFile, removeTemporaryNames } from "../disk/durable-write.ts";
import { encodeHead } from "./head-note.ts";
import { refuseDamage, type OpenJournal } from "./stored-journal.ts";

/** An fsync failed. The file may hold bytes that never reach the disk, so nothing may be chained on it. */
export class JournalCondemned extends RunError {
  constructor(path: string, cause: unknown) {
    super("WRITE_FAILED", { reason: `fsync failed: ${describeCause(cause)}`, path, condemned: true }, { cause });
  }
}

/** Notes the failed fsync in the lease and does not release it, so that the next owner makes the journal anew. */
export async function leaveCondemned(lease: HeldLease): Promise<void> {
  try {
    await lease.noteBadSync(true);
  } finally {
    await lease.abandon();
  }
}

export class JournalFile {
  readonly #files: Files;
  readonly #path: string;
  readonly #runRoot: string;
  readonly #handle: FileHandle;
  #headNote: FileHandle | null = null;
  /** Where the file ends as far as this owner knows. `head` is the record that ends there. */
  #end: number;
  head: ChainHead;

  private constructor(files: Files, runRoot: string, path: string, handle: FileHandle, end: number, head: ChainHead) {
    this.#files = files;
    this.#runRoot = runRoot;
    this.#path = path;
    this.#handle = handle;
    this.#end = end;
    this.head = head;
  }

  /**
   * Takes over a file that is open for appending behind `end`. What others wrote is synced first, so that nothing is chained on
   * a record that may vanish.
   */
  static async open(
    files: Files,
    runRoot: string,
    { handle, journalPath }: OpenJournal,
    known: { end: number; head: ChainHead },
  ): Promise<JournalFile> {
    const journal = new JournalFile(files, runRoot, journalPath, handle, known.end, known.head);
    await journal.#refuseSecondName();
    await journal.#sync();
    // The process that linked it may have died before the name was durable.
    await files.syncFolder(runRoot);
    return journal;
  }

  /** Every record up to the last one that this owner knows, with its place. */
  async records(): Promise<PlacedRecord[]> {
    const { seq, digest } = this.head;
    // Records up to the head were folded, or this owner wrote them.
    const scan = scanFolded(await this.readAt(0, this.#end), digest === null ? null : { seq, digest });
    refuseDamage(scan, this.#path);
    return scan.records;
  }

  async readAt(offset: number, length: number): Promise<Uint8Array> {
    return await this.#handle.readAt(offset, length);
  }

  /** The maker of the journal may have died before it removed the temporary name. Any other name is not ours. */
  async #refuseSecondName(): Promise<void> {
    const { links, identity } = await this.#handle.facts();
    if (links === 1) return;
    await removeTemporaryNames(this.#files, this.#runRoot, identity);
    if ((await this.#handle.facts()).links === 1) return;
    throw new RunError("INTEGRITY_ERROR.hard_linked", {
      reason: "the journal is hard-linked elsewhere: writing it would write there too",
      hard_linked: true,
      path: this.#path,
    });
  }

  /** Chains drafts behind the head, and writes nothing yet. Errors: those of `sealRecords`. */
  seal(drafts: readonly RecordDraft[], epoch: number, ts: string): SealedRecords {
    return sealRecords(drafts, { end: this.#end, head: this.head }, epoch, ts);
  }

  /**
   * Appends sealed records by one write and one fsync, then reads them back. Errors: `WRITE_FAILED` (`JournalCondemned`
   * when it was the fsync), `LOCK_LOST` when a higher epoch has written, `REVISION_MISMATCH` when they do not count.
   */
  async append({ placed: sealed, bytes, epoch }: SealedRecords): Promise<PlacedRecord[]> {
    const taken = await this.#handle.write(bytes);
    if (taken !== bytes.byteLength) {
      throw new RunError("WRITE_FAILED", {
        reason: "a short write to the journal",
        path: this.#path,
        wanted: bytes.byteLength,
        taken,
      });
    }
    await this.#sync();
    const placed = await this.#confirm(sealed, bytes, epoch);
    await this.#noteHead();
    return placed;
  }

  /** Reads the file back from its known end: do the records count, has a higher epoch written, does the path still name it? */
  async #confirm(sealed: PlacedRecord[], written: Uint8Array, epoch: number): Promise<PlacedRecord[]> {
    const facts = await this.#handle.facts();
    if (facts.size < this.#end) {
      throw new RunError("INTEGRITY_ERROR", {
        reason: "the journal was cut short from outside",
        path: this.#path,
        bytes: facts.size,
        known_bytes: this.#end,
      });
    }
    const back = await this.#handle.readAt(this.#end, facts.size - this.#end);
    const named = await this.#files.facts(this.#path);
    if (named?.identity !== facts.identity) {
      throw new RunError("LOCK_LOST", { reason: "the journal was replaced by another process", path: this.#path });
    }
    const own = Buffer.compare(back, written) === 0 ? sealed : await this.#findOwn(sealed, back, epoch);
    const last = own.at(-1);
    if (last === undefined)
      throw new RunError("REVISION_MISMATCH", { reason: "another record came first", path: this.#path });
    this.#end = last.end;
    this.head = { seq: last.record.seq, epoch: last.record.epoch, digest: last.record.digest };
    return own;
  }

  /** Another process wrote as well: finds our records among all. Errors: `LOCK_LOST` when a higher epoch wrote. */
  async #findOwn(sealed: readonly PlacedRecord[], back: Uint8Array, epoch: number): Promise<PlacedRecord[]> {
    let scan = scanJournal(back, this.#end, this.head);
    // A late owner's record hangs on one before `end`: only the whole journal can distinguish it from damage.
    if (scan.damage !== null) scan = scanJournal(await this.#handle.readAt(0, this.#end + back.byteLength));
    const behind = [...scan.records.map(({ record, offset }) => ({ epoch: record.epoch, offset })), ...scan.lost];
    const rival = behind.find((other) => other.offset >= this.#end && other.epoch > epoch);
    if (rival !== undefined)
      throw new RunError("LOCK_LOST", {
        reason: "another process took over and wrote",
        epoch,
        their_epoch: rival.epoch,
      });
    if (scan.damage !== null) {
      throw new RunError("INTEGRITY_ERROR", {
        reason: scan.damage.reason,
        path: this.#path,
        offset: scan.damage.offset,
      });
    }
    const first = scan.records.findIndex(({ record }) => record.digest === sealed[0]?.record.digest);
    const own = first < 0 ? [] : scan.records.slice(first);
    const areOurs =
      own.length === sealed.length && own.every(({ record }, index) => record.digest === sealed[index]?.record.digest);
    return areOurs ? own : [];
  }

  async #sync(): Promise<void> {
    try {
      await this.#handle.sync();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      throw new JournalCondemned(this.#path, error);
    }
  }

  /** Notes the newest commit without an fsync. It is a hint, and failing to write it harms nothing that was acknowledged. */
  async #noteHead(): Promise<void> {
    if (this.head.digest === null) return;
    try {
      this.#headNote ??= await openHeadNote(this.#files, `${this.#runRoot}/${HEAD_FILE}`);
      await this.#headNote.writeAt(encodeHead(this.head.seq, this.head.digest), 0);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await this.#headNote?.close();
    this.#headNote = null;
  }
}

async function openHeadNote(files: Files, path: string): Promise<FileHandle> {
  try {
    const handle = await files.open(path, "update");
    if ((await handle.facts()).links === 1) return handle;
    await handle.close();
    await files.remove(path);
  } catch (error) {
    if (isOddFile(error)) await files.remove(path);
    else if (errnoOf(error) !== "ENOENT") throw error;
  }
  return await files.open(path, "create");
}
