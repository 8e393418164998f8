// The folder of cached indexes: which files in it are ours, and how they are deleted while others may use them.
import fs from "node:fs";
import path from "node:path";
import { describeCause, errnoOf, RunError } from "../kernel/errors.ts";
import type { ClearedCache, IndexCache } from "../ports/index-cache.ts";
import { tryLockIndex } from "./index-lock.ts";

/** The database goes first: a process that finds it gone makes it anew, and a log without its database is of no use. */
const COMPANIONS = ["", "-wal", "-shm", "-journal"];
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

/** Names of the databases that anything in the folder belongs to, also of those that are gone. */
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
    const sizes = COMPANIONS.map((companion) => removeFile(database + companion));
    cleared.bytes_freed += sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (sizes[0] !== undefined && sizes[0] > 0) cleared.removed_indexes++;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new RunError("WRITE_FAILED", { reason: describeCause(error), errno, path: database }, { cause: error });
  }
}

/** Takes no lock, because a full disk has no room for one. A process that writes there loses a cache at most. */
async function lockUnlessFull(database: string): Promise<AsyncDisposable | null> {
  try {
    return await tryLockIndex(database);
  } catch (error) {
    if (errnoOf(error) !== "ENOSPC") throw error;
    return { async [Symbol.asyncDispose]() {} };
  }
}

/** The bytes that it freed; what is reached over a link stays where it is, and so does a folder of such a name. */
function removeFile(file: string): number {
  const facts = fs.lstatSync(file, { throwIfNoEntry: false });
  if (facts === undefined || facts.isDirectory()) return 0;
  fs.rmSync(file, { force: true });
  return facts.isFile() ? facts.size : 0;
}
