// The body of a report version as HTML, for a page that shows it beside other things.
import { reportBody } from "../pages/html-page.ts";
import type { Ports } from "../ports/ports.ts";
import type { ReportVersion } from "../run/report.ts";
import type { Outcome } from "./outcome.ts";
import { parseReport, readReportBytes, versionOf } from "./read-report.ts";
import { quotedTexts } from "./stored-sources.ts";

export interface ReportPage {
  version: ReportVersion;
  html: string;
}

/** By default of the current version. Errors: as `report show`. */
export async function readReportPage(
  ports: Ports,
  runRoot: string,
  { versionIndex, spentText }: { versionIndex?: number; spentText: (usage: ReportVersion["usage"]) => string | null },
): Promise<Outcome<ReportPage>> {
  const run = await ports.store.look(runRoot);
  const version = versionOf(run, versionIndex);
  const report = parseReport((await readReportBytes(ports, runRoot, version)).json, version);
  const html = reportBody(report, spentText(version.usage), await quotedTexts(ports, runRoot, report));
  return { result: { version, html }, run, error: null };
}
