// `report select`: makes a published report version the current one.
import type { Ownership } from "../../orchestrator/ownership.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ReportVersion } from "../../run/report/report-version.ts";
import type { Outcome } from "../outcome.ts";
import { refuseUnlessAtRest, refuseUnlessStill } from "./at-rest.ts";
import { work } from "../work.ts";
import { readReportBytes, versionOf } from "./read-report.ts";

export interface SelectResult {
  version: ReportVersion;
  already?: "already_selected";
}

const SELECTED = "a report is selected";

/**
 * Writes nothing when the version is the current one. Errors: `NOT_FOUND`, `INVALID_STATE`, `LOCK_HELD`, and those of a
 * version that was altered, which cannot be shown: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`.
 */
export async function selectReport(
  ports: Ports,
  runRoot: string,
  versionIndex: number,
): Promise<Outcome<SelectResult>> {
  const run = await ports.store.look(runRoot);
  const version = versionOf(run, versionIndex);
  if (run.manifest.current_report_version_index === versionIndex) {
    // Another process may have selected it, and its record may not be on disk yet.
    await ports.folders.makeDurable(runRoot);
    return { result: { version, already: "already_selected" }, run, error: null };
  }
  refuseUnlessAtRest(run.state, run.manifest.halt, runRoot, SELECTED);
  await readReportBytes(ports, runRoot, version);
  return await work(ports, run, {
    reason: "report select",
    async act(ownership) {
      await select(ownership, versionIndex);
      return { version };
    },
  });
}

async function select(ownership: Ownership, versionIndex: number): Promise<void> {
  await refuseUnlessStill(ownership, SELECTED);
  await ownership.writer.commit([{ kind: "report.selected", data: { version_index: versionIndex } }]);
}
