// The cache of indexes that runs share: what it takes to clear it.

export interface ClearedCache {
  /** Null where nothing says where the cache lies. */
  folder: string | null;
  removed_indexes: number;
  /** Files of indexes that another process is writing; they stay. */
  in_use: string[];
  bytes_freed: number;
}

export interface IndexCache {
  /** Deletes the indexes and nothing else. Errors: `WRITE_FAILED`. */
  clear(): Promise<ClearedCache>;
}
