// Writes files into a folder of another program, and removes them again. A file that another changed is left alone.
import { dirname, join } from "node:path";
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import type { Ports } from "../../ports/ports.ts";
import { digestSchema, parseWith, relativePathSchema } from "../../run/common.ts";
import type { Outcome } from "../outcome.ts";

/** Lies beside the files and notes the digest of each, as it was written. */
const INSTALLED_FILE = "deep-research.installed.json";
const MAX_BYTES = 1024 * 1024;

const installedSchema = z.object({
  schema_version: z.literal("installed.v1"),
  tool_version: z.string(),
  /** By path in the folder: the digest of what was written there. */
  files: z.record(relativePathSchema, digestSchema),
});
type Installed = z.infer<typeof installedSchema>;

/** `kept`: left alone, because another wrote or changed it. `linked`: left alone, because a link leads there. */
export type FileFate = "written" | "updated" | "unchanged" | "removed" | "kept" | "linked";

export interface InstallResult {
  folder: string;
  dry_run: boolean;
  files: { path: string; did: FileFate }[];
}

export interface InstallOptions {
  /** Absolute. */
  folder: string;
  /** The folder, or one above it, that the user chose: no link below it is followed. */
  within: string;
  /** What some version of this program has written. Nothing else is removed, whatever the notes say. */
  shipped: readonly string[];
  /** Says what would be done, and does nothing. */
  dryRun: boolean;
}

type Disk = Pick<Ports, "inputs" | "outputs">;

/**
 * Removes files of an earlier version that this one does not have. The notes are written last, and the next install repairs
 * what a crash before that left. Errors: `WRITE_FAILED`, `INVALID_ARGS`, `SCHEMA_VALIDATION_FAILED` for notes that cannot be read.
 */
export async function installFiles(
  ports: Disk & Pick<Ports, "toolVersion">,
  files: ReadonlyMap<string, string>,
  options: InstallOptions,
): Promise<Outcome<InstallResult>> {
  const { folder, dryRun } = options;
  const noted = await notedIn(ports, options);
  const notes: Record<string, Digest> = {};
  const fates: InstallResult["files"] = [];
  for (const [path, text] of files) {
    if (await isLinked(ports, path, options)) {
      fates.push({ path, did: "linked" });
      if (noted[path] !== undefined) notes[path] = noted[path];
      continue;
    }
    const bytes = new TextEncoder().encode(text);
    const wanted = digestOfBytes(bytes);
    const found = await digestAt(ports, join(folder, path));
    const did = fateOf(wanted, found, noted[path]);
    if (did !== "kept") notes[path] = wanted;
    if (!dryRun && (did === "written" || did === "updated"))
      await place(ports, join(folder, path), bytes, did === "updated");
    fates.push({ path, did });
  }
  const outdated = Object.entries(noted).filter(([path]) => !files.has(path));
  fates.push(...(await takeAway(ports, Object.fromEntries(outdated), options)));
  const installed: Installed = { schema_version: "installed.v1", tool_version: ports.toolVersion, files: notes };
  const text = new TextEncoder().encode(`${JSON.stringify(installed, null, 2)}\n`);
  if (!dryRun) await place(ports, join(folder, INSTALLED_FILE), text, true);
  return { result: { folder, dry_run: dryRun, files: fates }, run: null, error: null };
}

/** Errors: as for an install. */
export async function uninstallFiles(disk: Disk, options: InstallOptions): Promise<Outcome<InstallResult>> {
  const { folder, dryRun } = options;
  const files = await takeAway(disk, await notedIn(disk, options), options);
  if (!dryRun) {
    await disk.outputs.remove(join(folder, INSTALLED_FILE));
    await disk.outputs.removeEmptyFolder(folder);
  }
  return { result: { folder, dry_run: dryRun, files }, run: null, error: null };
}

function fateOf(wanted: Digest, found: Digest | null, noted: Digest | undefined): FileFate {
  if (found === null) return "written";
  if (found === wanted) return "unchanged";
  return found === noted ? "updated" : "kept";
}

/** Removes the files that are still as they were written. A file that is gone already is not reported. */
async function takeAway(
  disk: Disk,
  noted: Installed["files"],
  options: InstallOptions,
): Promise<InstallResult["files"]> {
  const { folder, dryRun, shipped } = options;
  const fates: InstallResult["files"] = [];
  for (const [path, digest] of Object.entries(noted)) {
    if (!shipped.includes(path)) continue;
    if (await isLinked(disk, path, options)) {
      fates.push({ path, did: "linked" });
      continue;
    }
    const file = join(folder, path);
    const found = await digestAt(disk, file);
    if (found === null) continue;
    fates.push({ path, did: found === digest ? "removed" : "kept" });
    if (dryRun || found !== digest) continue;
    await disk.outputs.remove(file);
    for (let above = dirname(path); above !== "."; above = dirname(above))
      await disk.outputs.removeEmptyFolder(join(folder, above));
  }
  return fates;
}

async function isLinked({ outputs }: Disk, path: string, { folder, within }: InstallOptions): Promise<boolean> {
  return outputs.isLinked(join(folder, path), within);
}

async function notedIn(disk: Disk, options: InstallOptions): Promise<Installed["files"]> {
  const path = join(options.folder, INSTALLED_FILE);
  if (await isLinked(disk, INSTALLED_FILE, options))
    throw new RunError("INVALID_ARGS.in_file", {
      reason: "a link leads there: nothing is written or removed",
      file: path,
    });
  const found = await readAt(disk, path);
  if (found === null) return {};
  try {
    return parseWith(installedSchema, parseStrictJson(found), {}).files;
  } catch (cause) {
    if (!(cause instanceof RunError)) throw cause;
    throw cause.with({ file: path });
  }
}

async function digestAt(disk: Disk, path: string): Promise<Digest | null> {
  const bytes = await readAt(disk, path);
  return bytes === null ? null : digestOfBytes(bytes);
}

async function readAt(disk: Disk, path: string): Promise<Uint8Array | null> {
  const found = await disk.inputs.read(path, MAX_BYTES);
  if (found.kind === "refused")
    throw new RunError("INVALID_ARGS.in_file", { reason: `the file cannot be used: ${found.why}`, file: path });
  return found.kind === "absent" ? null : found.bytes;
}

async function place(disk: Disk, path: string, bytes: Uint8Array, replace: boolean): Promise<void> {
  const outcome = await disk.outputs.write(path, bytes, { replace, makesFolders: true, keepOut: null });
  if (outcome !== "written")
    throw new RunError("WRITE_FAILED", { reason: `the file was not written: ${outcome}`, output: path });
}
