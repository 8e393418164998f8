// Makes durable what others wrote to a run, before it is acknowledged to anybody.
import { RunError } from "../kernel/errors.ts";
import type { Files } from "../ports/files.ts";
import { isCondemned } from "../run/lease.ts";
import { folderOf } from "./durable-write.ts";
import { readLeases, type LeaseDependencies } from "./lease-reading.ts";
import { viewpoint } from "./lease-view.ts";
import { findJournal } from "./run-reader.ts";

/** The journal and the names that lead to it. A journal whose fsync failed can never be vouched for: it is made anew first. */
export async function settle(dependencies: LeaseDependencies, runRoot: string): Promise<void> {
  const { files } = dependencies;
  const path = await findJournal(files, runRoot);
  const { claim } = await readLeases(dependencies, runRoot);
  if (claim !== null && claim !== "unreadable" && isCondemned(claim, viewpoint(dependencies).boot_id)) {
    throw new RunError("WRITE_FAILED", {
      reason: "an fsync of this journal failed; the next owner makes it anew",
      run_root: runRoot,
    });
  }
  const handle = await files.open(path, "read");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncNames(files, runRoot, path);
}

/** The folder of the journal, the run root, and the name of the run root. */
async function syncNames(files: Files, runRoot: string, journalPath: string): Promise<void> {
  for (const folder of new Set([folderOf(journalPath), runRoot, folderOf(runRoot)])) await files.syncFolder(folder);
}
