// Opens the index of a corpus and brings it up to date: in the cache folder, or in memory when the cache cannot be used.
import type { Database } from "bun:sqlite";
import fs from "node:fs";
import path from "node:path";
import { digestOfBytes, hexOf } from "../../kernel/digest.ts";
import { errnoOf } from "../../kernel/errors.ts";
import { documentKindOf } from "../formats/formats.ts";
import { DATABASE_FILES, isDamage, isDatabaseError, MEMORY, openIndexDatabase } from "./index-database.ts";
import { STALE_MS, tryLockIndex } from "./index-lock.ts";
import { changesOf, updateIndex, type UpdateOptions } from "./index-update.ts";
import { indexedFiles, type IndexedFile } from "./indexed-files.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import type { Skipped } from "../formats/skipped.ts";
import type { Walk } from "../files/walk.ts";

/** The database is in a read transaction, so that it does not change when other processes update the index. */
export interface OpenIndex {
  database: Database;
  files: ReadonlyMap<string, IndexedFile>;
  /** Files of the walk that could not be read. */
  unreadable: Skipped[];
}

export interface OpenIndexOptions extends UpdateOptions {
  walk: Walk;
  /** The real path of the corpus, which is its folder or its only file. It names the cached index. */
  corpusPath: string;
  /** Null keeps the index in memory. */
  cacheFolder: string | null;
}

export async function openIndex(options: OpenIndexOptions): Promise<OpenIndex> {
  if (options.cacheFolder !== null) {
    try {
      const cached = await openCached(options.cacheFolder, options);
      if (cached !== null) return cached;
    } catch (error) {
      // The cache folder is read-only, full or no folder. The cache only saves time, so the index is made in memory.
      options.signal.throwIfAborted();
      if (!isDatabaseError(error) && errnoOf(error) === undefined) throw error;
    }
  }
  return openUpdated(MEMORY, options);
}

// --- the cached index ---------------------------------------------------------------------------------------------

const LOCK_WAIT_MIN_MS = 20;
const LOCK_WAIT_MAX_MS = 250;
/** Waiting is worth as much as the work would take, but long enough for the lock of a killed process to become stale. */
const PATIENCE_MIN_MS = STALE_MS + 1_000;
const PATIENCE_MAX_MS = 120_000;
const PATIENCE_PER_FILE_MS = 5;
const PATIENCE_PER_DOCUMENT_MS = 200;

/** Null when another process held the lock for too long. */
async function openCached(cacheFolder: string, options: OpenIndexOptions): Promise<OpenIndex | null> {
  fs.mkdirSync(cacheFolder, { recursive: true, mode: 0o700 });
  const databasePath = path.join(cacheFolder, `${hexOf(digestOfBytes(options.corpusPath))}.sqlite`);
  const patienceMs = patienceFor(options.walk);
  let waitMs = LOCK_WAIT_MIN_MS;
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += waitMs) {
    const current = await openCurrent(databasePath, options);
    if (current !== null) return current;
    await using lock = await tryLockIndex(databasePath);
    if (lock !== null) return await openRepaired(databasePath, options);
    if (waitedMs === 0) options.onProgress?.({ kind: "waiting", most_ms: patienceMs });
    waitMs = Math.min(waitMs * 1.5, LOCK_WAIT_MAX_MS);
    await Bun.sleep(waitMs);
    options.signal.throwIfAborted();
  }
  return null;
}

function patienceFor({ files }: Walk): number {
  const documents = files.filter(({ path }) => documentKindOf(path) !== null).length;
  const workMs = files.length * PATIENCE_PER_FILE_MS + documents * PATIENCE_PER_DOCUMENT_MS;
  return Math.min(Math.max(PATIENCE_MIN_MS, workMs), PATIENCE_MAX_MS);
}

/** The index if it needs no change, else null. It is read without the lock, so that many processes can open it at once. */
async function openCurrent(databasePath: string, { walk, pacer }: OpenIndexOptions): Promise<OpenIndex | null> {
  const identity = identityOf(databasePath);
  if (identity === null) return null;
  let database: Database | undefined;
  try {
    database = openIndexDatabase(databasePath, "existing");
    const files = await beginReading(database, pacer);
    // If the file was replaced meanwhile, the old database may have been read with the log of the new one.
    if ((await changesOf(walk.files, files, pacer)) === null && identityOf(databasePath) === identity) {
      return { database, files, unreadable: [] };
    }
  } catch (error) {
    if (!isDatabaseError(error)) {
      database?.close();
      throw error;
    }
  }
  database?.close();
  return null;
}

async function openRepaired(databasePath: string, options: OpenIndexOptions): Promise<OpenIndex> {
  try {
    return await openUpdated(databasePath, options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const ending of DATABASE_FILES) fs.rmSync(databasePath + ending, { force: true });
    return openUpdated(databasePath, options);
  }
}

// --- bringing up to date ------------------------------------------------------------------------------------------

async function openUpdated(databasePath: string, options: OpenIndexOptions): Promise<OpenIndex> {
  const database = openIndexDatabase(databasePath, "create");
  try {
    const indexed = await indexedFiles(database, options.pacer);
    const changes = await changesOf(options.walk.files, indexed, options.pacer);
    const unreadable = changes === null ? [] : await updateIndex(database, changes, indexed, options);
    return { database, files: await beginReading(database, options.pacer), unreadable };
  } catch (error) {
    database.close();
    throw error;
  }
}

function beginReading(database: Database, pacer: Pacer): Promise<Map<string, IndexedFile>> {
  database.run("BEGIN");
  return indexedFiles(database, pacer);
}

function identityOf(databasePath: string): string | null {
  const facts = fs.statSync(databasePath, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? null : `${facts.dev}:${facts.ino}`;
}
