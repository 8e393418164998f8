// The journal on disk: one open file that its owner appends to, with the checks around every commit.
import { RunError, describeCause } from "../kernel/errors.ts";
import type { FileHandle, Files } from "../ports/files.ts";
import { frameRecord, MAX_RECORD_BYTES, scanJournal, sealRecord, type ChainHead, type PlacedRecord, type RecordDraft } from "../run/journal.ts";
import { HEAD_FILE } from "../run/layout.ts";
import { errnoOf } from "../kernel/errors.ts";
import { encodeHead } from "./head-note.ts";

/** The line that stands before every record: a space and a line feed. */
const FRAME_BYTES = 2;

/** An fsync failed: the file may hold bytes that will never reach the disk, and must not be chained on. */
export class JournalCondemned extends RunError {
  constructor(path: string, cause: unknown) {
    super("WRITE_FAILED", { reason: `fsync failed: ${describeCause(cause)}`, path, condemned: true }, { cause });
  }
}

export class JournalFile {
  readonly #files: Files;
  readonly #path: string;
  readonly #runRoot: string;
  readonly #handle: FileHandle;
  #headNote: FileHandle | null = null;
  /** Where this owner knows the file to end, and the record it ends with. */
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

  /** Opens for appending behind `end`. What others wrote is synced first: nothing is chained on a record that may vanish. */
  static async open(files: Files, runRoot: string, path: string, known: { end: number; head: ChainHead }): Promise<JournalFile> {
    const handle = await files.open(path, "append");
    const facts = await handle.facts();
    if (facts.links > 1) {
      await handle.close();
      throw new RunError("INTEGRITY_ERROR", { reason: "the journal is hard-linked elsewhere: writing it would write there too", path });
    }
    const journal = new JournalFile(files, runRoot, path, handle, known.end, known.head);
    try {
      await journal.#sync();
    } catch (error) {
      await handle.close();
      throw error;
    }
    return journal;
  }

  /**
   * Appends records by one write and one fsync, then reads them back. Errors: `WRITE_FAILED` (`JournalCondemned` when it
   * was the fsync), `LOCK_LOST` when a higher epoch has written, `REVISION_MISMATCH` when the records do not count.
   */
  async append(drafts: readonly RecordDraft[], epoch: number, ts: string): Promise<PlacedRecord[]> {
    const sealed: PlacedRecord[] = [];
    let text = "";
    let end = this.#end;
    let { seq, digest: prev } = this.head;
    for (const draft of drafts) {
      const { record, line } = sealRecord(draft, { seq: seq + 1, ts, epoch, prev });
      const lineBytes = Buffer.byteLength(line);
      if (lineBytes > MAX_RECORD_BYTES) {
        throw new RunError("INPUT_TOO_LARGE", { reason: "the record is too large", kind: draft.kind, bytes: lineBytes, max_bytes: MAX_RECORD_BYTES });
      }
      text += frameRecord(line);
      sealed.push({ record, offset: end + FRAME_BYTES, end: end + FRAME_BYTES + lineBytes + 1 });
      end += FRAME_BYTES + lineBytes + 1;
      seq = record.seq;
      prev = record.digest;
    }
    const bytes = new TextEncoder().encode(text);
    const taken = await this.#handle.write(bytes);
    if (taken !== bytes.byteLength) {
      throw new RunError("WRITE_FAILED", { reason: "a short write to the journal", path: this.#path, wanted: bytes.byteLength, taken });
    }
    await this.#sync();
    const placed = await this.#confirm(sealed, bytes, epoch);
    await this.#noteHead();
    return placed;
  }

  /** Reads back from where the file was known: do the records count, has a higher epoch written, is it still the file? */
  async #confirm(sealed: PlacedRecord[], written: Uint8Array, epoch: number): Promise<PlacedRecord[]> {
    const facts = await this.#handle.facts();
    const back = await this.#handle.readAt(this.#end, facts.size - this.#end);
    const named = await this.#files.facts(this.#path);
    if (named?.identity !== facts.identity) {
      throw new RunError("LOCK_LOST", { reason: "the journal was replaced by another process", path: this.#path });
    }
    const own = Buffer.compare(back, written) === 0 ? sealed : this.#findOwn(sealed, back, epoch);
    const last = own.at(-1);
    if (last === undefined) throw new RunError("REVISION_MISMATCH", { reason: "another record came first", path: this.#path });
    this.#end = last.end;
    this.head = { seq: last.record.seq, epoch: last.record.epoch, digest: last.record.digest };
    return own;
  }

  /** Somebody else wrote as well: finds our records among theirs, or says who came first. */
  #findOwn(sealed: readonly PlacedRecord[], back: Uint8Array, epoch: number): PlacedRecord[] {
    const scan = scanJournal(back, this.#end, this.head);
    const rival = [...scan.records.map(({ record }) => record), ...scan.lost].find((other) => other.epoch > epoch);
    if (rival !== undefined) throw new RunError("LOCK_LOST", { reason: "another process took over and wrote", epoch, their_epoch: rival.epoch });
    if (scan.damage !== null) {
      throw new RunError("INTEGRITY_ERROR", { reason: scan.damage.reason, path: this.#path, offset: scan.damage.offset });
    }
    const first = scan.records.findIndex(({ record }) => record.digest === sealed[0]?.record.digest);
    const own = first < 0 ? [] : scan.records.slice(first);
    const areOurs = own.length === sealed.length && own.every(({ record }, index) => record.digest === sealed[index]?.record.digest);
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

  /** A hint that costs no fsync; failing to leave it harms nothing that was acknowledged. */
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
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  return await files.open(path, "create");
}
