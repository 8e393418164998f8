// Makes durable what others wrote to a run, before it is acknowledged to anybody.
import { errnoOf } from "../kernel/errors.ts";
import type { Files } from "../ports/files.ts";
import { isCondemned } from "../run/lease.ts";
import { folderOf } from "./durable-write.ts";
import { readLeases, viewpoint } from "./lease-reading.ts";
import { findJournal } from "./run-reader.ts";
import type { Machine } from "./machine.ts";

/** For a journal that cannot be vouched for, which is rare: what writes is loaded for it alone. */
export interface JournalRemedy {
  /** Takes the run for a moment, which makes the journal anew. Errors: `LOCK_HELD` when its owner still lives. */
  remake(runRoot: string): Promise<void>;
  /** Notes that an fsync of the journal failed, and throws so. */
  condemn(runRoot: string, path: string, cause: unknown): Promise<never>;
}

/**
 * Syncs the journal and the names that lead to it. A journal whose fsync failed can never be vouched for: then it is made
 * anew. Errors: `LOCK_HELD` when its owner still lives; `WRITE_FAILED` when the fsync fails here, which condemns the
 * journal.
 */
export async function makeDurable(
  machine: Machine,
  runRoot: string,
  remedy: () => Promise<JournalRemedy>,
): Promise<void> {
  const { files } = machine;
  const { claim } = await readLeases(machine, runRoot);
  if (claim !== null && claim !== "unreadable" && isCondemned(claim, viewpoint(machine).boot_id)) {
    await (await remedy()).remake(runRoot);
    return;
  }
  const path = await findJournal(files, runRoot);
  const handle = await files.open(path, "read");
  try {
    await handle.sync();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    await (await remedy()).condemn(runRoot, path, error);
  } finally {
    await handle.close();
  }
  await syncNames(files, runRoot, path);
}

/** The folder of the journal, the run root, and the name of the run root. */
async function syncNames(files: Files, runRoot: string, journalPath: string): Promise<void> {
  for (const folder of new Set([folderOf(journalPath), runRoot, folderOf(runRoot)])) await files.syncFolder(folder);
}
