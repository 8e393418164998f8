// Brings an index up to date with a walk: reads changed files, removes deleted ones, and keeps the rest.
import type { Database } from "bun:sqlite";
import { mergeBatches } from "./batch-merge.ts";
import { DocumentReader, type DocumentReaderOptions, type ReadFile } from "../files/document-reader.ts";
import { keepExtractedText } from "./extracted-texts.ts";
import { IndexWriter } from "./index-writer.ts";
import type { IndexedFile } from "./indexed-files.ts";
import type { IndexProgress } from "../../ports/provider.ts";
import type { PagePlace } from "../extract/extraction.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import { isWorthAnotherTry, type Skipped, type SkipReason } from "../formats/skipped.ts";
import { unreadPartsOf } from "../extract/unread-parts.ts";
import type { WalkedFile } from "../files/walk.ts";

/** An update that is cut off loses at most this much, and a commit of it blocks no other process. */
const BYTES_PER_TRANSACTION = 8 * 1024 * 1024;
/** The work for an entry besides its bytes. */
const BYTES_PER_ENTRY = 4 * 1024;

export interface Changes {
  toRead: WalkedFile[];
  toRemove: IndexedFile[];
}

/** The differences between the walked files and the indexed ones; null when there are none. */
export async function changesOf(
  files: readonly WalkedFile[],
  indexed: ReadonlyMap<string, IndexedFile>,
  pacer: Pacer,
): Promise<Changes | null> {
  const toRead: WalkedFile[] = [];
  const gone = new Map(indexed);
  for (const file of files) {
    await pacer.pause();
    if (indexed.get(file.path)?.stamp !== file.stamp) toRead.push(file);
    gone.delete(file.path);
  }
  return toRead.length === 0 && gone.size === 0 ? null : { toRead, toRemove: [...gone.values()] };
}

export interface UpdateOptions extends DocumentReaderOptions {
  onProgress?: ((event: IndexProgress) => void) | undefined;
}

/** Returns the files that could not be read now. They are not in the index, and are tried again at the next opening. */
export async function updateIndex(
  database: Database,
  { toRead, toRemove }: Changes,
  indexed: ReadonlyMap<string, IndexedFile>,
  options: UpdateOptions,
): Promise<Skipped[]> {
  const { pacer } = options;
  const writer = new IndexWriter(database);
  const unreadable: Skipped[] = [];
  const beforeCommit = (): Promise<void> => writer.flush(pacer);
  await inTransactions(database, toRemove, beforeCommit, async ({ id }) => {
    await pacer.pause();
    writer.remove(id);
    return BYTES_PER_ENTRY;
  });
  await inTransactions(database, readFiles(toRead, indexed, options), beforeCommit, async ({ path, file }) => {
    const known = indexed.get(path);
    if (file.kind === "same") {
      if (known !== undefined) writer.renew(known, file.state.stamp);
      return BYTES_PER_ENTRY;
    }
    if (known !== undefined) writer.remove(known.id);
    if (file.kind === "unreadable") {
      unreadable.push(file.skipped);
      return BYTES_PER_ENTRY;
    }
    const { stamp, digest, bytes } = file.state;
    if (file.kind === "unfit") {
      writer.addUnfit(path, stampOfUnfit(stamp, file.reason, known), file);
    } else {
      const { text, textFrom } = file;
      await writer.addDocument({ path, stamp, digest, text, unread: unreadPartsOf(path, text, textFrom) }, pacer);
      if (textFrom.text_from === "extracted") keepExtractedText(database, path, text);
    }
    return BYTES_PER_ENTRY + bytes.byteLength;
  });
  options.onProgress?.({ kind: "writing" });
  await mergeBatches(database, pacer);
  return unreadable;
}

/** A file that took too long or too much memory is tried once more, at the next opening, and then no more. */
export function stampOfUnfit(stamp: string, reason: SkipReason, known: IndexedFile | undefined): string {
  const wasTriedAgain = known?.stamp === "" && known.skip_reason === reason;
  return isWorthAnotherTry(reason) && !wasTriedAgain ? "" : stamp;
}

/** Reads a few files ahead, since other processes take the text out of documents. Yields files in their order. */
async function* readFiles(
  toRead: readonly WalkedFile[],
  indexed: ReadonlyMap<string, IndexedFile>,
  { onProgress, ...options }: UpdateOptions,
): AsyncGenerator<{ path: string; file: ReadFile }> {
  using reader = new DocumentReader(options);
  const begun: { path: string; bytes: number; reading: Promise<ReadFile> }[] = [];
  const pages = new Map<string, PagePlace>();
  const bytesTotal = toRead.reduce((sum, { bytes }) => sum + bytes, 0);
  let [next, read, bytesRead] = [0, 0, 0];
  // Progress names the file that is awaited, not those that are read ahead.
  const report = ({ path, bytes }: { path: string; bytes: number }): void => {
    const place = pages.get(path);
    const ofThis = place === undefined ? 0 : Math.floor((bytes * (place.page - 1)) / place.pages);
    const far = { read, total: toRead.length, bytes_read: bytesRead + ofThis, bytes_total: bytesTotal };
    onProgress?.({ kind: "reading", path, ...far, ...place });
  };
  let awaited: string | null = null;
  const beginNext = (): void => {
    const file = toRead[next++];
    if (file === undefined) return;
    const { path, bytes } = file;
    const reading = reader.read(path, indexed.get(path)?.digest ?? null, (place) => {
      pages.set(path, place);
      if (awaited === path) report(file);
    });
    // The loop may end before it awaits this one.
    reading.catch(() => {});
    begun.push({ path, bytes, reading });
  };
  for (let ahead = 0; ahead < reader.width; ahead++) beginNext();
  for (let first = begun.shift(); first !== undefined; first = begun.shift()) {
    const { path, bytes, reading } = first;
    awaited = path;
    report(first);
    const file = await reading;
    read++;
    bytesRead += bytes;
    pages.delete(path);
    await options.pacer.pause();
    beginNext();
    yield { path, file };
  }
}

/** Commits when `work` has written this much; it returns its bytes for each item. */
async function inTransactions<T>(
  database: Database,
  items: Iterable<T> | AsyncIterable<T>,
  beforeCommit: () => Promise<void>,
  work: (item: T) => Promise<number>,
): Promise<void> {
  let written = 0;
  try {
    for await (const item of items) {
      if (!database.inTransaction) database.run("BEGIN IMMEDIATE");
      written += await work(item);
      if (written < BYTES_PER_TRANSACTION) continue;
      await beforeCommit();
      database.run("COMMIT");
      written = 0;
    }
    if (database.inTransaction) {
      await beforeCommit();
      database.run("COMMIT");
    }
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  }
}
