// `show`: the files that a run's journal names, and one of them, checked against its digest.
import { RunError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ContentRef } from "../../run/common.ts";
import { namedContent } from "../../run/log/named-content.ts";
import type { ReadOutcome } from "../outcome.ts";

export interface RunFiles {
  files: ContentRef[];
}

export async function listFiles(ports: Ports, runRoot: string): Promise<ReadOutcome<RunFiles>> {
  const run = await ports.store.look(runRoot);
  const files = namedContent(await ports.store.records(runRoot));
  return { result: { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }, run, error: null };
}

/** `path` is one that `listFiles` has. Errors: `NOT_FOUND` with the nearest, `MISSING_ARTIFACT`, `INTEGRITY_ERROR`. */
export async function showFile(
  ports: Ports,
  runRoot: string,
  path: string,
): Promise<ReadOutcome<ContentRef & { content: Uint8Array }>> {
  const { result, run, error } = await listFiles(ports, runRoot);
  const ref = result.files.find((file) => file.path === path);
  if (ref === undefined) {
    const nearest = nearestNames(
      path.slice(0, 200),
      result.files.map((file) => file.path),
    );
    throw new RunError("NOT_FOUND.file", {
      reason: "the run names no such file",
      file: path,
      nearest,
      run_root: runRoot,
    });
  }
  return { result: { ...ref, content: await ports.store.readContent(runRoot, ref) }, run, error };
}
