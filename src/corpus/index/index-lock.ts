// Lets one process at a time write an index, so that others do not repeat its work. SQLite's own locks keep the file whole.

/** A lock that was not refreshed for this long belongs to a killed process, and may be taken. */
export const STALE_MS = 4_000;
const REFRESH_MS = 1_000;

/** Tries once. Null when another process holds the lock. Throws when the file system takes no lock. */
export async function tryLockIndex(databasePath: string): Promise<AsyncDisposable | null> {
  const { lock } = await import("proper-lockfile");
  try {
    const release = await lock(databasePath, {
      realpath: false,
      stale: STALE_MS,
      update: REFRESH_MS,
      retries: 0,
      // A lost lock does no harm. The default handler would throw, and end the process.
      onCompromised: () => {},
    });
    // An error here would hide that of the work. A lock that stays behind is stale soon.
    return { [Symbol.asyncDispose]: async () => await release().catch(() => {}) };
  } catch (error) {
    if ((error as { code?: unknown }).code === "ELOCKED") return null;
    throw error;
  }
}
