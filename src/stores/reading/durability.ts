// Makes durable what others wrote to a run, before it is acknowledged to anybody.
import { errnoOf } from "../../kernel/errors.ts";
import { folderOf } from "../disk/durable-write.ts";
import { readLeases, viewpoint } from "../lease/lease-reading.ts";
import { isCondemned } from "../lease/lease-rules.ts";
import { findJournal } from "../journal/stored-journal.ts";
import type { Machine } from "../disk/machine.ts";

/**
 * Syncs the journal and the names that lead to it. A journal whose fsync failed before cannot be trusted, so it is made anew.
 * Errors: `LOCK_HELD` when its owner still lives; `WRITE_FAILED` when the fsync fails here, which condemns the journal.
 */
export async function makeDurable(machine: Machine, runRoot: string): Promise<void> {
  const { files } = machine;
  const { claim } = await readLeases(machine, runRoot);
  if (claim !== null && claim !== "unreadable" && isCondemned(claim, viewpoint(machine).boot_id)) {
    await (await loadRemedy()).remake(machine, runRoot);
    return;
  }
  const path = await findJournal(files, runRoot);
  const handle = await files.open(path, "read");
  try {
    await handle.sync();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    await (await loadRemedy()).condemn(machine, runRoot, path, error);
  } finally {
    await handle.close();
  }
  // The folder of the journal, the run root, and the name of the run root.
  for (const folder of new Set([folderOf(path), runRoot, folderOf(runRoot)])) await files.syncFolder(folder);
}

/** It loads all that writes, and is rarely needed. */
function loadRemedy() {
  return import("./journal-remedy.ts");
}
