// The report versions of a run: lists them, finds the one that is meant, and reads its files, checked against their digests.
import { knownHalt } from "../../run/log/halt-details.ts";
import { isDamage } from "../../kernel/damage.ts";
import { RunError, type FileProblem } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import type { Ports } from "../../ports/ports.ts";
import type { RunLook, RunLog } from "../../ports/run-log.ts";
import { parseWith } from "../../run/common.ts";
import { haltKind } from "../../run/log/halt.ts";
import { JOURNAL_FILE, reportFiles } from "../../run/log/layout.ts";
import { saidState } from "../../run/log/lifecycle.ts";
import type { Report } from "../../run/report/report.ts";
import type { ReportVersion } from "../../run/report/report-version.ts";
import { withLetters } from "../../run/report/quote-letters.ts";
import { reportSchema } from "../../run/report/stored-report.ts";
import { damageError, verificationOfReport } from "../../stages/verification.ts";
import type { ReadOutcome, Outcome } from "../outcome.ts";

export type ReportList = Pick<RunLook["manifest"], "report_versions" | "current_report_version_index">;

export async function listReports({ store }: Ports, runRoot: string): Promise<Outcome<ReportList>> {
  const run = await store.look(runRoot);
  const { report_versions, current_report_version_index } = run.manifest;
  return { result: { report_versions, current_report_version_index }, run, error: null };
}

export interface ShownReport {
  version: ReportVersion;
  report_md_path: string;
  report_json_path: string;
  report_md: string;
  /** Files that do not verify: of this version, of the sources that it quotes, and those that `store.look` reads. */
  problems: FileProblem[];
}

export interface ReportWanted {
  /** By default the current one. */
  versionIndex?: number;
  /** Also a version of which a quoted source was altered; its own files are always checked. */
  allowDamaged?: boolean;
}

/**
 * Reads report.md of a version. Errors: `NO_EVIDENCE` when the run halted without any, `NOT_FOUND` when there is no such
 * version, `MISSING_ARTIFACT` and `INTEGRITY_ERROR` for its files and those of the sources that it quotes.
 */
export async function showReport(
  ports: Ports,
  runRoot: string,
  wanted: ReportWanted = {},
): Promise<ReadOutcome<ShownReport>> {
  const look = await ports.store.look(runRoot);
  const version = versionOf(look, wanted.versionIndex);
  const files = reportFiles(version.version_index);
  const { markdown } = await readReportBytes(ports, runRoot, version);
  const run = await withProblemsOf(ports, look, version, wanted);
  const result: ShownReport = {
    version,
    report_md_path: ports.runs.placeOf(runRoot, files.markdown),
    report_json_path: ports.runs.placeOf(runRoot, files.json),
    report_md: decodeUtf8(markdown),
    problems: run.problems,
  };
  return { result, run, error: null };
}

/** report.json of the wanted version, else of the current one. Errors: as `showReport`. */
export async function readReport(ports: Pick<Ports, "store">, run: RunLook, versionIndex?: number): Promise<Report> {
  const version = versionOf(run, versionIndex);
  return parseReport((await readReportBytes(ports, run.runRoot, version)).json, version);
}

/** Reads both files, so that nothing of a version is shown when a part of it was altered. Errors: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`. */
export async function readReportBytes(
  { store }: Pick<Ports, "store">,
  runRoot: string,
  version: ReportVersion,
): Promise<{ markdown: Uint8Array; json: Uint8Array }> {
  const files = reportFiles(version.version_index);
  const markdown = await store.readContent(runRoot, { path: files.markdown, sha256: version.report_md_digest });
  const json = await store.readContent(runRoot, { path: files.json, sha256: version.digest });
  return { markdown, json };
}

/** Quotes of a report of an earlier version get their letters here. */
export function parseReport(json: Uint8Array, { version_index }: ReportVersion): Report {
  const report: Report = parseWith(reportSchema, parseStrictJson(json), { path: reportFiles(version_index).json });
  const isLettered = report.sources.every(({ quotes }) => quotes !== undefined);
  return isLettered ? report : { ...report, sources: withLetters(report) };
}

/** The wanted version, else the current one. Errors: `NOT_FOUND`, `NO_EVIDENCE` when the run halted without any. */
export function versionOf(run: RunLook, wanted?: number): ReportVersion {
  const { report_versions, current_report_version_index, halt } = run.manifest;
  const index = wanted ?? current_report_version_index;
  const found = report_versions.find(({ version_index }) => version_index === index);
  if (found !== undefined) return found;
  const facts = factsOf(run);
  if (wanted !== undefined)
    throw new RunError("NOT_FOUND.report", { reason: "the run has no such report version", version: wanted, ...facts });
  if (halt !== null && haltKind(halt) === "no_evidence") {
    // The hint depends on what was searched.
    const known = knownHalt(halt);
    const searched = known.kind === "no_evidence" ? known.details.searched : undefined;
    throw new RunError("NO_EVIDENCE.no_report", {
      reason: "the run found no evidence, so it has no report",
      ...facts,
      searched,
    });
  }
  throw new RunError("NOT_FOUND.report", { reason: "the run has no report yet", ...facts });
}

/** The run, its state, and the versions it has. */
export function factsOf({ runRoot, manifest, state }: RunLook) {
  const versions = manifest.report_versions.map(({ version_index }) => version_index);
  return { run_root: runRoot, run_id: manifest.run_id, state: saidState(state, manifest.halt), versions };
}

/** The run, with the problems of one report version added. Errors: these problems, unless they are allowed. */
export async function withProblemsOf(
  { store }: Pick<Ports, "store">,
  run: RunLook,
  version: ReportVersion,
  { allowDamaged = false }: ReportWanted,
): Promise<RunLook> {
  const found = await problemsOf(store, run, version);
  if (found.length > 0 && !allowDamaged)
    throw damageError(
      found,
      { version: version.version_index, run_root: run.runRoot, may_be_allowed: true },
      ".of_report",
    );
  const known = new Set(run.problems.map(({ path }) => path));
  return { ...run, problems: [...run.problems, ...found.filter(({ path }) => !known.has(path))] };
}

async function problemsOf(store: RunLog, run: RunLook, version: ReportVersion): Promise<FileProblem[]> {
  try {
    return await verificationOfReport(store, run, version);
  } catch (error) {
    // The records that name the sources cannot be read.
    if (!isDamage(error) || error.code !== "INTEGRITY_ERROR") throw error;
    return [
      ...(error.facts.files ?? [{ path: JOURNAL_FILE, expected: "the records of the run", found: error.message }]),
    ];
  }
}
