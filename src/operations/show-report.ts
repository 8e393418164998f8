// The text of one report version, checked against the digest it was published with.
import { join } from "node:path";
import { decodeUtf8 } from "../kernel/strict-json.ts";
import type { Ports } from "../ports/ports.ts";
import type { FileProblem } from "../ports/run-store.ts";
import { reportFiles } from "../run/layout.ts";
import type { ReportVersion } from "../run/report.ts";
import type { Outcome } from "./outcome.ts";
import { readReportBytes, versionOf, withProblemsOf } from "./read-report.ts";

export interface ShownReport {
  version: ReportVersion;
  report_md_path: string;
  report_json_path: string;
  report_md: string;
  /** What does not verify of this version, of the sources that it quotes, and of what a look sees. */
  problems: FileProblem[];
}

/**
 * Reads report.md of a version, by default of the current one. Errors: `NO_EVIDENCE` when the run halted without any,
 * `NOT_FOUND` when there is no such version, `MISSING_ARTIFACT` and `INTEGRITY_ERROR` for its files.
 */
export async function showReport(ports: Ports, runRoot: string, versionIndex?: number): Promise<Outcome<ShownReport>> {
  const look = await ports.store.look(runRoot);
  const version = versionOf(look, versionIndex);
  const files = reportFiles(version.version_index);
  const { markdown } = await readReportBytes(ports, runRoot, version);
  const run = await withProblemsOf(ports, look, version);
  const result: ShownReport = {
    version,
    report_md_path: join(runRoot, files.markdown),
    report_json_path: join(runRoot, files.json),
    report_md: decodeUtf8(markdown),
    problems: run.problems,
  };
  return { result, run, error: null };
}
