// Reads the files of an index: documents with their digest, and unfit files with the reason.
import type { Database } from "bun:sqlite";
import type { Digest } from "../../kernel/digest.ts";
import { DamagedIndex } from "./index-database.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import { sealOf } from "./seal.ts";
import type { SkipReason } from "../formats/skipped.ts";

/** A document has a digest, an unfit file a reason. */
export interface IndexedFile {
  id: number;
  path: string;
  /** "" when the next opening has to read the file again, even if it seems unchanged. */
  stamp: string;
  digest: Digest | null;
  first_heading: string;
  skip_reason: SkipReason | null;
  skip_detail: string | null;
  /** What of a document has no text: how much, and in words. 0 and null when all of it is read. */
  unread_count: number;
  unread_words: string | null;
}

export const FILE_COLUMNS = "path, stamp, digest, first_heading, skip_reason, skip_detail, unread_count, unread_words";

/** All files by path. Throws `DamagedIndex` when a row was altered. */
export async function indexedFiles(database: Database, pacer: Pacer): Promise<Map<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  const rows = database.query<IndexedFile & { seal: number }, []>(`SELECT id, ${FILE_COLUMNS}, seal FROM files`);
  for (const { seal, ...file } of rows.iterate()) {
    await pacer.pause();
    if (seal !== sealOfFile(file)) throw new DamagedIndex("the checksum of a file differs");
    files.set(file.path, file);
  }
  return files;
}

/** In the order of the columns. */
export function valuesOf(file: Omit<IndexedFile, "id">): (string | number | null)[] {
  const { path, stamp, digest, first_heading, skip_reason, skip_detail, unread_count, unread_words } = file;
  return [path, stamp, digest, first_heading, skip_reason, skip_detail, unread_count, unread_words];
}

export function sealOfFile(file: Omit<IndexedFile, "id">): number {
  return sealOf(...valuesOf(file));
}
