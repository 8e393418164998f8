// One writer of an index at a time, across processes. A courtesy: SQLite's own locks keep the file whole without it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { errnoOf } from "../kernel/errors.ts";

/** A holder that stopped is given up after this long; a live one refreshes far more often. */
const STALE_MS = 10_000;
const REFRESH_MS = 2_000;

/** Tries once. Null when another process holds the lock. Throws when the lock cannot be made at all. */
export async function tryLockIndex(databasePath: string): Promise<AsyncDisposable | null> {
  const release = (await acquire(databasePath)) ?? (dropDeadHolder(databasePath) ? await acquire(databasePath) : null);
  if (release === null) return null;
  try {
    dropLeftovers(databasePath);
    fs.writeFileSync(ownerPath(databasePath), ownName());
  } catch (error) {
    await release().catch(() => {});
    throw error;
  }
  return {
    // It never throws: an error here would hide the one of the work, and a lock that stays behind is stale soon.
    async [Symbol.asyncDispose]() {
      try {
        fs.rmSync(ownerPath(databasePath), { force: true });
      } catch (error) {
        if (errnoOf(error) === undefined) throw error;
      }
      await release().catch(() => {});
    },
  };
}

async function acquire(databasePath: string): Promise<(() => Promise<void>) | null> {
  const { lock } = await import("proper-lockfile");
  try {
    return await lock(databasePath, {
      realpath: false,
      stale: STALE_MS,
      update: REFRESH_MS,
      retries: 0,
      // Losing the courtesy is no harm; the default would throw into the void and end the process.
      onCompromised: () => {},
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ELOCKED") return null;
    throw error;
  }
}

// --- a holder that was killed -------------------------------------------------------------------------------------
// The lock alone says only that its holder has been silent; a name beside it tells at once that it is dead.

function ownerPath(databasePath: string): string {
  return `${databasePath}.owner`;
}

function ownName(): string {
  return `${process.pid} ${os.hostname()}`;
}

function dropDeadHolder(databasePath: string): boolean {
  const noted = ownerPath(databasePath);
  const claimed = `${noted}.${process.pid}`;
  try {
    const owner = fs.readFileSync(noted, "utf8");
    if (!isDead(owner)) return false;
    // Of any number of processes one gets to rename. What it renamed may be the name of a new holder by now.
    fs.renameSync(noted, claimed);
    if (fs.readFileSync(claimed, "utf8") !== owner) {
      fs.renameSync(claimed, noted);
      return false;
    }
    fs.rmdirSync(`${databasePath}.lock`);
    fs.rmSync(claimed, { force: true });
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** Removes what a killed process had renamed and not yet removed. */
function dropLeftovers(databasePath: string): void {
  const prefix = `${path.basename(ownerPath(databasePath))}.`;
  for (const name of fs.readdirSync(path.dirname(databasePath))) {
    if (!name.startsWith(prefix) || !isDead(`${name.slice(prefix.length)} ${os.hostname()}`)) continue;
    fs.rmSync(path.join(path.dirname(databasePath), name), { force: true });
  }
}

function isDead(owner: string): boolean {
  const [pid, host] = owner.split(" ");
  if (host !== os.hostname() || !/^[1-9]\d*$/.test(pid ?? "")) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errnoOf(error) === "ESRCH";
  }
}
