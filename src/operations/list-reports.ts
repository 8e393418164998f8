// The report versions of a run.
import type { Ports } from "../ports/ports.ts";
import type { ReportVersion } from "../run/report.ts";
import type { Outcome } from "./outcome.ts";

export interface ReportList {
  report_versions: ReportVersion[];
  current_report_version_index: number | null;
}

/** Reads what was published; writes nothing. */
export async function listReports(ports: Ports, runRoot: string): Promise<Outcome<ReportList>> {
  const run = await ports.store.look(runRoot);
  const { report_versions, current_report_version_index } = run.manifest;
  return { result: { report_versions, current_report_version_index }, run, error: null };
}
