// Makes durable what others wrote to a run, before it is acknowledged to anybody.
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { Files } from "../ports/files.ts";
import type { LeaseStore } from "../ports/lease-store.ts";
import { isCondemned, MIN_LEASE_S } from "../run/lease.ts";
import { folderOf } from "./durable-write.ts";
import { JournalCondemned } from "./journal-file.ts";
import { readLeases, type LeaseDependencies } from "./lease-reading.ts";
import { viewpoint } from "./lease-view.ts";
import { acquire } from "./run-acquisition.ts";
import { findJournal } from "./run-reader.ts";

const REASON = "a journal whose fsync failed";

/**
 * Syncs the journal and the names that lead to it. A journal whose fsync failed can never be vouched for: then the run is
 * taken for a moment, which makes it anew. Errors: `LOCK_HELD` when its owner still lives; `WRITE_FAILED` when the fsync
 * fails here, which condemns the journal.
 */
export async function settle(dependencies: LeaseDependencies, leases: LeaseStore, runRoot: string): Promise<void> {
  const { files } = dependencies;
  const { claim } = await readLeases(dependencies, runRoot);
  if (claim !== null && claim !== "unreadable" && isCondemned(claim, viewpoint(dependencies).boot_id)) {
    const acquired = await acquire(dependencies, leases, runRoot, { reason: REASON });
    if (acquired.kind === "held")
      throw new RunError("LOCK_HELD", { run_root: runRoot, owner_id: acquired.by.owner_id });
    await acquired.writer.release();
    return;
  }
  const path = await findJournal(files, runRoot);
  const handle = await files.open(path, "read");
  try {
    await handle.sync();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    await condemnJournal(leases, runRoot);
    throw new JournalCondemned(path, error);
  } finally {
    await handle.close();
  }
  await syncNames(files, runRoot, path);
}

/**
 * A second fsync would succeed, although the bytes are lost: so nobody may try one. The lease is taken from a living owner
 * as well, because the journal that it writes is the same.
 */
async function condemnJournal(leases: LeaseStore, runRoot: string): Promise<void> {
  try {
    const claimed = await leases.claim(runRoot, { lease_seconds: MIN_LEASE_S, force: true, reason: REASON });
    if (claimed.kind === "held") return;
    try {
      await claimed.lease.noteBadSync(true);
    } finally {
      await claimed.lease.release();
    }
  } catch (error) {
    // The disk may refuse this note, too; the call reports the failed fsync in either case.
    if (errnoOf(error) === undefined && !(error instanceof RunError)) throw error;
  }
}

/** The folder of the journal, the run root, and the name of the run root. */
async function syncNames(files: Files, runRoot: string, journalPath: string): Promise<void> {
  for (const folder of new Set([folderOf(journalPath), runRoot, folderOf(runRoot)])) await files.syncFolder(folder);
}
