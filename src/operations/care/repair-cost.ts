// The cost of repairing a damaged journal: the records that are lost, and the reports that only these records know.
import type { Ports } from "../../ports/ports.ts";
import type { Inspection } from "../../ports/run-log.ts";
import { JOURNAL_FILE } from "../../run/log/layout.ts";

export interface RepairCost {
  /** The number of records before the damage: these stay. */
  kept_records: number;
  /** True where the records behind those are missing; false where the first of them is damaged. */
  ends_too_early: boolean;
  /** The number of records that are lost; null where it is unknown. */
  lost_records: number | null;
  /** Version numbers of the published reports that are lost with them. */
  lost_reports: number[];
}

/** Reads the journal and no content; null where a repair loses nothing, or can keep nothing. */
export async function foreseeCost(ports: Pick<Ports, "store">, runRoot: string): Promise<RepairCost | null> {
  const inspection = await ports.store.inspect(runRoot, { withContent: false });
  return inspection.isLost ? null : await costOf(ports, runRoot, inspection);
}

export async function costOf(
  { store }: Pick<Ports, "store">,
  runRoot: string,
  { records, isDamaged, manifest, problems }: Inspection,
): Promise<RepairCost | null> {
  const kept_records = records.length;
  // The manifest may be from before the damage, and know what there was. Without it the run cannot be read.
  const known = await store.look(runRoot).then(
    (look) => look.manifest,
    () => null,
  );
  const lost = known === null ? 0 : known.journal.seq - kept_records;
  const ends_too_early = !isDamaged && known === null && problems.some(({ path }) => path === JOURNAL_FILE);
  if (!isDamaged && lost <= 0 && !ends_too_early) return null;
  const kept = new Set(manifest?.report_versions.map(({ version_index }) => version_index));
  const lost_reports = (known?.report_versions ?? [])
    .map(({ version_index }) => version_index)
    .filter((index) => !kept.has(index));
  return { kept_records, ends_too_early, lost_records: lost > 0 ? lost : null, lost_reports };
}
