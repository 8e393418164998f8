// A journal that no repair brings back: no record of it counts, or it is that of another run.
import { RunError } from "../../kernel/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Inspection } from "../../ports/run-log.ts";

/** Names the published reports that can still be shown. Null for a journal with records of this run. */
export async function lostJournal(
  { store }: Pick<Ports, "store">,
  runRoot: string,
  { isLost, problems }: Pick<Inspection, "isLost" | "problems">,
): Promise<RunError | null> {
  if (!isLost) return null;
  const look = await store.look(runRoot).catch(() => null);
  const reports = look?.manifest.report_versions.map(({ version_index }) => version_index) ?? [];
  return new RunError("INTEGRITY_ERROR.journal_lost", {
    reason: "the journal is lost, and everything else follows from it",
    run_root: runRoot,
    files: problems,
    journal_lost: true,
    ...(reports.length === 0 ? {} : { readable_reports: reports }),
  });
}
