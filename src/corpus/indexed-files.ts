// The files that an index knows: documents with their digest, and those that were judged unfit.
import type { Database } from "bun:sqlite";
import type { Digest } from "../kernel/digest.ts";
import { DamagedIndex } from "./index-database.ts";
import type { Pacer } from "./pacer.ts";
import { sealOf } from "./seal.ts";
import type { SkipReason } from "./skipped.ts";

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

/** By path. Throws `DamagedIndex` when one is not as it was written. */
export async function indexedFiles(database: Database, pacer: Pacer): Promise<Map<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>();
  const rows = database.query<IndexedFile & { seal: number }, []>(
    "SELECT id, path, stamp, digest, first_heading, skip_reason, seal FROM files",
  );
  for (const { seal, ...file } of rows.iterate()) {
    await pacer.pause();
    if (seal !== sealOfFile(file)) throw new DamagedIndex("a file is not as it was written");
    files.set(file.path, file);
  }
  return files;
}

export function sealOfFile({ path, stamp, digest, first_heading, skip_reason }: Omit<IndexedFile, "id">): number {
  return sealOf(path, stamp, digest, first_heading, skip_reason);
}
