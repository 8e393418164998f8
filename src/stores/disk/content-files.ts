// Content files are created once under a name that no later write changes, and are read back by digest.
import { digestOfBytes } from "../../kernel/digest.ts";
import { errnoOf, RunError, type FileProblem } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import { relativePathSchema, type ContentRef } from "../../run/common.ts";
import { QUARANTINE_FOLDER } from "../../run/log/layout.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import { createFile, ensureFolder, folderOf, nameOf, readWhole, unlessErrno } from "./durable-write.ts";

/** Larger content is refused when it is stored, and taken for altered when it is read. */
export const MAX_CONTENT_BYTES = 512 * 1024 * 1024;

export interface StoringContent {
  /** A path in the run root that no other file has. */
  temporary: string;
  /** Folders whose names are known to be on disk. */
  durableFolders?: Set<string>;
  /** Throws when the right to write was lost. */
  requireOwner: () => Promise<void>;
}

/**
 * Stores a content file. When equal bytes have the name already, they are synced and kept; when that fsync fails, they are
 * stored anew. Other bytes under the name come from a writer that lost its lease before a record named them, so they are moved
 * to quarantine. Errors: `INPUT_TOO_LARGE`.
 */
export async function storeContent(
  files: Files,
  runRoot: string,
  { path: relative, bytes }: { path: string; bytes: Uint8Array },
  { temporary, durableFolders, requireOwner }: StoringContent,
): Promise<ContentRef> {
  const path = checkedPath(runRoot, relative);
  refuseLargeContent(relative, bytes);
  const ref: ContentRef = { path: relative, sha256: digestOfBytes(bytes), bytes: bytes.byteLength };
  if (relative.includes("/")) await ensureFolder(files, runRoot, folderOf(relative), durableFolders);
  for (let round = 1; ; round++) {
    if (await createFile(files, { temporary, path }, bytes)) return ref;
    const found = await files.facts(path);
    if (found === null) continue;
    if (found.kind === "file" && found.size === ref.bytes && (await holdsDurably(files, path, ref))) return ref;
    await requireOwner();
    await ensureFolder(files, runRoot, QUARANTINE_FOLDER, durableFolders);
    const aside = `${runRoot}/${QUARANTINE_FOLDER}/${nameOf(temporary)}-${round}.${nameOf(relative)}`;
    await files.rename(path, aside);
    const moved = await files.facts(aside);
    if (moved === null || moved.identity === found.identity) continue;
    // This process slept between the check and the move, and moved a file that its successor stored meanwhile: put it back.
    await unlessErrno(["EEXIST"], () => files.link(aside, path));
    await files.syncFolder(folderOf(path));
  }
}

/** Errors: `INPUT_TOO_LARGE`. */
export function refuseLargeContent(path: string, { byteLength }: Uint8Array): void {
  if (byteLength <= MAX_CONTENT_BYTES) return;
  throw new RunError("INPUT_TOO_LARGE", {
    reason: "a content file would be larger than it may be",
    path,
    bytes: byteLength,
    max_bytes: MAX_CONTENT_BYTES,
  });
}

async function holdsDurably(files: Files, path: string, ref: ContentRef): Promise<boolean> {
  const handle = await files.open(path, "read");
  try {
    if (digestOfBytes(await handle.readAt(0, ref.bytes)) !== ref.sha256) return false;
    try {
      await handle.sync();
    } catch (error) {
      // The bytes of this file may never reach the disk, whatever a second fsync says, so another file has to hold them.
      if (errnoOf(error) === undefined) throw error;
      return false;
    }
  } finally {
    await handle.close();
  }
  await files.syncFolder(folderOf(path));
  return true;
}

/** Reads a content file and checks it. Errors: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`. */
export async function readContent(
  files: Files,
  runRoot: string,
  ref: Pick<ContentRef, "path" | "sha256">,
): Promise<Uint8Array> {
  const found = await checkContent(files, runRoot, ref);
  if (found.kind === "good") return found.bytes;
  throw new RunError(found.kind === "missing" ? "MISSING_ARTIFACT" : "INTEGRITY_ERROR", {
    reason: found.kind === "missing" ? "a stored file is missing" : "a stored file was altered",
    run_root: runRoot,
    files: [{ path: ref.path, expected: ref.sha256, found: found.found }],
  });
}

type ContentCheck =
  { kind: "good"; bytes: Uint8Array } | { kind: "missing"; found: string } | { kind: "altered"; found: string };

export async function checkContent(
  files: Files,
  runRoot: string,
  ref: Pick<ContentRef, "path" | "sha256">,
): Promise<ContentCheck> {
  const path = checkedPath(runRoot, ref.path);
  for (let at = ref.path.indexOf("/"); at >= 0; at = ref.path.indexOf("/", at + 1)) {
    const facts = await files.facts(`${runRoot}/${ref.path.slice(0, at)}`);
    if (facts === null) return { kind: "missing", found: "nothing" };
    if (facts.kind !== "folder") return { kind: "altered", found: "not a folder" };
  }
  const facts = await files.facts(path);
  if (facts === null) return { kind: "missing", found: "nothing" };
  if (facts.kind !== "file") return { kind: "altered", found: "not a regular file" };
  if (facts.size > MAX_CONTENT_BYTES) return { kind: "altered", found: `${facts.size} bytes` };
  const bytes = await readWhole(files, path, MAX_CONTENT_BYTES);
  if (bytes === null) return { kind: "missing", found: "nothing" };
  const digest = digestOfBytes(bytes);
  return digest === ref.sha256 ? { kind: "good", bytes } : { kind: "altered", found: digest };
}

/** The content among `missing` that is still not there. */
export async function stillMissing(
  files: Files,
  runRoot: string,
  missing: NonNullable<Manifest["missing"]>,
): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const { path, sha256 } of missing) {
    const check = await checkContent(files, runRoot, { path, sha256 });
    if (check.kind !== "good") problems.push({ path, expected: sha256, found: check.found });
  }
  return problems;
}

/**
 * Moves altered content to quarantine, since it can be neither trusted nor rebuilt: from then on it is missing. Returns where
 * it went. `requireOwner` throws when the right to write was lost.
 */
export async function setAsideAltered(
  files: Files,
  runRoot: string,
  named: readonly ContentRef[],
  owner: { epoch: number; requireOwner(): Promise<void> },
): Promise<string[]> {
  const moved: string[] = [];
  for (const ref of named) {
    if ((await checkContent(files, runRoot, ref)).kind !== "altered") continue;
    await owner.requireOwner();
    await ensureFolder(files, runRoot, QUARANTINE_FOLDER);
    const target = `${QUARANTINE_FOLDER}/${owner.epoch}-${moved.length}.${ref.path.replaceAll("/", ".")}`;
    await files.rename(`${runRoot}/${ref.path}`, `${runRoot}/${target}`);
    await files.syncFolder(`${runRoot}/${QUARANTINE_FOLDER}`);
    moved.push(target);
  }
  return moved;
}

function checkedPath(runRoot: string, relative: string): string {
  const parsed = relativePathSchema.safeParse(relative);
  if (!parsed.success)
    throw new RunError("PATH_TRAVERSAL", { reason: "a path that leaves the run root", path: relative });
  return `${runRoot}/${parsed.data}`;
}
