// The port that clears the cache of indexes, which runs share.

export interface ClearedCache {
  /** Null when nothing says where the cache lies. */
  folder: string | null;
  removed_indexes: number;
  /** Files of indexes that another process is writing. They stay. */
  in_use: string[];
  bytes_freed: number;
}

export interface IndexCache {
  /** Deletes the indexes and nothing else. Errors: `WRITE_FAILED`. */
  clear(): Promise<ClearedCache>;
}
