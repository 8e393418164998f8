// One writer of an index at a time, across processes. A courtesy: SQLite's own locks keep the file whole without it.

/** A holder that was killed is given up after this long; a live one refreshes more often. */
export const STALE_MS = 4_000;
const REFRESH_MS = 1_000;

/** Tries once. Null when another process holds the lock. Throws when the lock cannot be made at all. */
export async function tryLockIndex(databasePath: string): Promise<AsyncDisposable | null> {
  const { lock } = await import("proper-lockfile");
  try {
    const release = await lock(databasePath, {
      realpath: false,
      stale: STALE_MS,
      update: REFRESH_MS,
      retries: 0,
      // Losing the courtesy is no harm; the default would throw into the void and end the process.
      onCompromised: () => {},
    });
    // An error here would hide the one of the work, and a lock that stays behind is stale soon.
    return { [Symbol.asyncDispose]: async () => await release().catch(() => {}) };
  } catch (error) {
    if ((error as { code?: unknown }).code === "ELOCKED") return null;
    throw error;
  }
}
