// Clears the folder of cached indexes, while other processes may use them.
import fs from "node:fs";
import path from "node:path";
import { describeCause, errnoOf, isOutOfRoom, RunError } from "../../kernel/errors.ts";
import type { ClearedCache, IndexCache } from "../../ports/index-cache.ts";
import { DATABASE_FILES } from "./index-database.ts";
import { tryLockIndex } from "./index-lock.ts";

const INDEX_FILE = /^([0-9a-f]{64}\.sqlite)(?:-wal|-shm|-journal|\.lock)?$/;

export function indexCache(folder: string | null): IndexCache {
  return {
    async clear() {
      const cleared: ClearedCache = { folder, removed_indexes: 0, in_use: [], bytes_freed: 0 };
      if (folder === null) return cleared;
      for (const name of databasesIn(folder)) await clearOne(folder, name, cleared);
      return cleared;
    },
  };
}

/** The names of the databases to which files in the folder belong, even if only a log is left. */
function databasesIn(folder: string): string[] {
  try {
    return [...new Set(fs.readdirSync(folder).flatMap((name) => INDEX_FILE.exec(name)?.[1] ?? []))].sort();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return [];
    throw new RunError("READ_FAILED", { reason: describeCause(error), errno, path: folder }, { cause: error });
  }
}

async function clearOne(folder: string, name: string, cleared: ClearedCache): Promise<void> {
  const database = path.join(folder, name);
  try {
    await using lock = await lockUnlessFull(database);
    if (lock === null) {
      cleared.in_use.push(name);
      return;
    }
    const sizes = DATABASE_FILES.map((ending) => removeFile(database + ending));
    cleared.bytes_freed += sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (sizes[0] !== undefined && sizes[0] > 0) cleared.removed_indexes++;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new RunError("WRITE_FAILED", { reason: describeCause(error), errno, path: database }, { cause: error });
  }
}

/** On a full disk there is no room for a lock, so none is taken. A process that writes there loses only its cache. */
async function lockUnlessFull(database: string): Promise<AsyncDisposable | null> {
  try {
    return await tryLockIndex(database);
  } catch (error) {
    if (!isOutOfRoom(error)) throw error;
    return { async [Symbol.asyncDispose]() {} };
  }
}

/** Returns the freed bytes. Of a link only the link is removed, and a folder of such a name stays. */
function removeFile(file: string): number {
  const facts = fs.lstatSync(file, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory()) return 0;
  fs.rmSync(file, { force: true });
  return facts.isFile() ? facts.size : 0;
}
