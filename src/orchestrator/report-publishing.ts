// Publishes a report version: its files first, then the record that names them.
import { timestamp } from "../ports/clock.ts";
import type { ContentRef } from "../run/common.ts";
import type { ReportVersion } from "../run/report/report-version.ts";
import type { Publication } from "../stages/publication.ts";
import type { Ownership } from "./ownership.ts";

/** Stores the files, and returns what the record of the version has to say. */
export async function storeReport({ ports, writer }: Ownership, { files, version }: Publication) {
  const report_files: ContentRef[] = [];
  for (const { path, bytes } of files) report_files.push(await writer.storeContent(path, bytes));
  return { report: { ...version, created_at: timestamp(ports.clock.nowMs()) }, report_files };
}

/** Publishes a version that is not the end of its run. */
export async function publishReport(ownership: Ownership, publication: Publication): Promise<ReportVersion> {
  const { report, report_files } = await storeReport(ownership, publication);
  const data = { report, count: report.version_index, report_files };
  await ownership.writer.commit([{ kind: "report.published", data }]);
  return report;
}
