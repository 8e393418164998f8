// Finds damage without reading content: files that the manifest names and that are gone or have another size.
import type { FileProblem } from "../../kernel/errors.ts";
import type { FileFacts, Files } from "../../ports/files.ts";
import { reportFiles } from "../../run/log/layout.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { unlessErrno } from "../disk/durable-write.ts";

const SOURCES_FOLDER = "sources";

/** `names` are the files of the run root, listed before the manifest was read. */
export async function seenDamage(
  files: Files,
  runRoot: string,
  manifest: Manifest,
  names: readonly string[],
): Promise<FileProblem[]> {
  const { missing = [] } = manifest;
  const problems =
    missing.length === 0 ? [] : await (await import("../disk/content-files.ts")).stillMissing(files, runRoot, missing);
  for (const named of namedIn(manifest)) {
    if (problems.some(({ path }) => path === named.path)) continue;
    const facts = await factsAt(files, `${runRoot}/${named.path}`);
    if (facts?.kind === "file" && (named.bytes === undefined || facts.size === named.bytes)) continue;
    const found = facts === null ? "nothing" : facts.kind === "file" ? `${facts.size} bytes` : "not a regular file";
    problems.push({ path: named.path, expected: named.sha256, found });
  }
  const { sources } = manifest.counters;
  const isReported = problems.some(({ path }) => path.startsWith(`${SOURCES_FOLDER}/`));
  // The folder is looked for again, since the first source may have been stored after the files were listed.
  const isGone =
    sources > 0 && !names.includes(SOURCES_FOLDER) && (await factsAt(files, `${runRoot}/${SOURCES_FOLDER}`)) === null;
  if (isGone && !isReported) problems.push({ path: SOURCES_FOLDER, expected: `${sources} sources`, found: "nothing" });
  return problems;
}

/** Null also when a folder of the path is no folder. */
async function factsAt(files: Files, path: string): Promise<FileFacts | null> {
  return await unlessErrno(["ENOTDIR"], () => files.facts(path));
}

/** The current report and the results of the current stage, which are needed next. */
function namedIn(manifest: Manifest): { path: string; sha256: string; bytes?: number }[] {
  const { current_report_version_index: index, report_versions, steps } = manifest;
  const results = Object.values(steps).flatMap(({ result }) => result?.content ?? []);
  const report = report_versions.find(({ version_index }) => version_index === index);
  if (report === undefined) return results;
  const paths = reportFiles(report.version_index);
  return [
    { path: paths.markdown, sha256: report.report_md_digest },
    { path: paths.json, sha256: report.digest },
    ...results,
  ];
}
