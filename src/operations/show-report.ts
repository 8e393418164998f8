// The text of one report version, checked against the digest it was published with.
import { join } from "node:path";
import { RunError } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/strict-json.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunLook } from "../ports/run-store.ts";
import { haltKind } from "../run/halt.ts";
import { reportFiles } from "../run/layout.ts";
import type { ReportVersion } from "../run/report.ts";
import type { Outcome } from "./outcome.ts";

export interface ShownReport {
  version: ReportVersion;
  report_md_path: string;
  report_json_path: string;
  report_md: string;
}

/**
 * Reads report.md of a version, by default of the current one. Errors: `NO_EVIDENCE` when the run halted without any,
 * `NOT_FOUND` when there is no such version, `MISSING_ARTIFACT` and `INTEGRITY_ERROR` for its files.
 */
export async function showReport(ports: Ports, runRoot: string, versionIndex?: number): Promise<Outcome<ShownReport>> {
  const run = await ports.store.look(runRoot);
  const version = versionOf(run, versionIndex);
  const files = reportFiles(version.version_index);
  const bytes = await ports.store.readContent(runRoot, { path: files.markdown, sha256: version.report_md_digest });
  // Nothing of a version is shown when a part of it was altered.
  await ports.store.readContent(runRoot, { path: files.json, sha256: version.digest });
  const result: ShownReport = {
    version,
    report_md_path: join(runRoot, files.markdown),
    report_json_path: join(runRoot, files.json),
    report_md: decodeUtf8(bytes),
  };
  return { result, run, error: null };
}

function versionOf({ runRoot, manifest, state }: RunLook, wanted: number | undefined): ReportVersion {
  const versions = manifest.report_versions;
  const index = wanted ?? manifest.current_report_version_index;
  const found = versions.find(({ version_index }) => version_index === index);
  if (found !== undefined) return found;
  const facts = {
    run_root: runRoot,
    run_id: manifest.run_id,
    state,
    versions: versions.map(({ version_index }) => version_index),
  };
  if (wanted !== undefined)
    throw new RunError("NOT_FOUND", { reason: "the run has no such report version", version: wanted, ...facts });
  if (manifest.halt !== null && haltKind(manifest.halt) === "no_evidence") {
    throw new RunError("NO_EVIDENCE", { reason: "the run found no evidence, so it has no report", ...facts });
  }
  throw new RunError("NOT_FOUND", { reason: "the run has no report yet", ...facts });
}
