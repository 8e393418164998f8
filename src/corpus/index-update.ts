// Brings an index up to date with a walk: reads what changed, drops what is gone, leaves the rest alone.
import type { Database } from "bun:sqlite";
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { IndexWriter } from "./index-writer.ts";
import type { Pacer } from "./pacer.ts";
import { readCorpusFile, stampOf } from "./read-file.ts";
import type { Skipped, SkipReason } from "./skipped.ts";
import { textOf } from "./text.ts";
import type { WalkedFile } from "./walk.ts";

/** A file touched this shortly before it was read may change again without a newer stamp. */
const SETTLED_MS = 2_000;
/** What an update that is cut off may lose; small enough that a commit blocks nobody. */
const BYTES_PER_TRANSACTION = 2 * 1024 * 1024;
/** What an entry costs besides its bytes. */
const BYTES_PER_ENTRY = 4 * 1024;

/** A file as the index knows it: a document with a digest, or one that was judged unfit. */
export interface IndexedFile {
  id: number;
  path: string;
  /** Empty when the file must be read again although it looks untouched. */
  stamp: string;
  digest: Digest | null;
  first_heading: string;
  skip_reason: SkipReason | null;
}

export interface Changes {
  toRead: WalkedFile[];
  toRemove: IndexedFile[];
}

export function indexedFiles(database: Database): Map<string, IndexedFile> {
  const rows = database.query("SELECT id, path, stamp, digest, first_heading, skip_reason FROM files").all();
  return new Map((rows as IndexedFile[]).map((row) => [row.path, row]));
}

/** How the walked files differ from the indexed ones, or null when they do not. */
export function changesOf(files: readonly WalkedFile[], indexed: ReadonlyMap<string, IndexedFile>): Changes | null {
  const toRead = files.filter((file) => indexed.get(file.path)?.stamp !== file.stamp);
  const walked = new Set(files.map((file) => file.path));
  const toRemove = [...indexed.values()].filter((file) => !walked.has(file.path));
  return toRead.length === 0 && toRemove.length === 0 ? null : { toRead, toRemove };
}

export interface UpdateOptions {
  root: string;
  pacer: Pacer;
  onRead?: ((event: { read: number; total: number; path: string }) => void) | undefined;
}

/** Returns the files that could not be read now; they are in no index and are tried again next time. */
export async function updateIndex(
  database: Database,
  changes: Changes,
  indexed: ReadonlyMap<string, IndexedFile>,
  { root, pacer, onRead }: UpdateOptions,
): Promise<Skipped[]> {
  const writer = new IndexWriter(database);
  const unreadable: Skipped[] = [];
  await inTransactions(database, changes.toRemove, async ({ id }) => {
    await pacer.pause();
    writer.remove(id);
    return BYTES_PER_ENTRY;
  });
  let read = 0;
  await inTransactions(database, changes.toRead, async ({ path }) => {
    await pacer.pause();
    onRead?.({ read: read++, total: changes.toRead.length, path });
    const known = indexed.get(path);
    const file = readCorpusFile(root, path);
    if (file.kind === "skipped") {
      if (known !== undefined) writer.remove(known.id);
      unreadable.push(file.skipped);
      return BYTES_PER_ENTRY;
    }
    const isSettled = Date.now() - Number(file.facts.ctimeMs) >= SETTLED_MS;
    const stamp = isSettled ? stampOf(file.facts) : "";
    const digest = digestOfBytes(file.bytes);
    if (known?.digest === digest) {
      writer.renew(known.id, stamp);
      return BYTES_PER_ENTRY;
    }
    if (known !== undefined) writer.remove(known.id);
    const verdict = textOf(file.bytes);
    if (verdict.kind === "skipped") writer.addUnfit(path, stamp, verdict.reason);
    else await writer.addDocument({ path, stamp, digest, text: verdict.text }, pacer);
    return BYTES_PER_ENTRY + file.bytes.byteLength;
  });
  while (writer.mergeSome()) await pacer.pause();
  return unreadable;
}

/** `work` returns how much it wrote, in bytes. */
async function inTransactions<T>(
  database: Database,
  items: readonly T[],
  work: (item: T) => Promise<number>,
): Promise<void> {
  let written = 0;
  try {
    for (const item of items) {
      if (!database.inTransaction) database.run("BEGIN IMMEDIATE");
      written += await work(item);
      if (written < BYTES_PER_TRANSACTION) continue;
      database.run("COMMIT");
      written = 0;
    }
    if (database.inTransaction) database.run("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  }
}
