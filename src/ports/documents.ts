// The port for documents that lie in the store, so that each worker reads the very same ones, without a mount.

export interface PushedDocuments {
  name: string;
  /** The beginning of the digest of all files with their paths. */
  digest: string;
  files: number;
  bytes: number;
  /** By the clock of the store. */
  pushed_ms: number;
}

/** Errors of all: those of a store. */
export interface StoredDocuments {
  /** Stores what lies below a folder; links are left out. The same files again are the same documents. Errors: `INVALID_ARGS`, `READ_FAILED`. */
  push(name: string, folder: string): Promise<PushedDocuments>;
  /** The last ones of each name. */
  list(): Promise<PushedDocuments[]>;
  /**
   * Puts them into a folder of this machine. `path`: as `documents:NAME`, with or without a digest. Returns the folder, and the path with
   * its digest. Errors: `INVALID_ARGS` where there are none.
   */
  unpack(path: string): Promise<{ folder: string; path: string }>;
}
