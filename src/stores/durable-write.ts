// Writes that survive: whole under their name or not at all, and on disk before anyone is told.
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { FileHandle, Files } from "../ports/files.ts";

/** Writes to a new temporary file and syncs it; the handle stays open for the caller. */
export async function writeTemporary(files: Files, path: string, bytes: Uint8Array): Promise<FileHandle> {
  const handle = await files.open(path, "create");
  try {
    await writeWhole(handle, bytes, path);
    await handle.sync();
    return handle;
  } catch (error) {
    await handle.close();
    await removeQuietly(files, path);
    throw error;
  }
}

/** A write that takes fewer bytes than given has failed; what it left is debris. */
export async function writeWhole(handle: FileHandle, bytes: Uint8Array, path: string): Promise<void> {
  const taken = await handle.write(bytes);
  if (taken !== bytes.byteLength) {
    throw new RunError("WRITE_FAILED", { reason: "a short write", path, wanted: bytes.byteLength, taken });
  }
}

/** Replaces a file as a whole: readers see the old bytes or the new ones. */
export async function replaceFile(files: Files, place: { temporary: string; path: string }, bytes: Uint8Array): Promise<void> {
  const handle = await writeTemporary(files, place.temporary, bytes);
  await handle.close();
  await files.rename(place.temporary, place.path);
  await files.syncFolder(folderOf(place.path));
}

/** Creates a file under a name that must be free; false when it is taken. */
export async function createFile(files: Files, place: { temporary: string; path: string }, bytes: Uint8Array): Promise<boolean> {
  const handle = await writeTemporary(files, place.temporary, bytes);
  await handle.close();
  try {
    await files.link(place.temporary, place.path);
  } catch (error) {
    await removeQuietly(files, place.temporary);
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  await files.syncFolder(folderOf(place.path));
  await removeQuietly(files, place.temporary);
  return true;
}

/** Makes a folder and its missing parents below `root`; refuses anything else that stands in their place. */
export async function ensureFolder(files: Files, root: string, relative: string): Promise<void> {
  let path = root;
  for (const part of relative.split("/")) {
    const parent = path;
    path = `${path}/${part}`;
    const facts = await files.facts(path);
    if (facts?.kind === "folder") continue;
    if (facts !== null) throw new RunError("INTEGRITY_ERROR", { reason: "a folder was expected here", path });
    try {
      await files.makeFolder(path);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    await files.syncFolder(parent);
  }
}

/** Makes an absolute folder and its parents, durably; where one exists it may also be a link to a folder. */
export async function ensureAbsoluteFolder(files: Files, path: string): Promise<void> {
  const facts = await files.facts(path);
  if (facts !== null) return;
  const parent = folderOf(path);
  if (parent !== "") await ensureAbsoluteFolder(files, parent);
  try {
    await files.makeFolder(path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  await files.syncFolder(parent === "" ? "/" : parent);
}

/** Temporary files are nobody's once their writer is done; failing to remove one costs only space. */
export async function removeQuietly(files: Files, path: string): Promise<void> {
  try {
    await files.remove(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Reads a regular file whole, or null when nothing is there. Errors: `INPUT_TOO_LARGE` beyond `maxBytes`. */
export async function readWhole(files: Files, path: string, maxBytes: number): Promise<Uint8Array | null> {
  let handle: FileHandle;
  try {
    handle = await files.open(path, "read");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const { size } = await handle.facts();
    if (size > maxBytes) throw new RunError("INPUT_TOO_LARGE", { reason: "the file is larger than it may be", path, bytes: size, max_bytes: maxBytes });
    return await handle.readAt(0, size);
  } finally {
    await handle.close();
  }
}

/** Runs disk work and gives a system error its type; typed errors and bugs pass as they are. */
export async function withTypedErrors<T>(code: "READ_FAILED" | "WRITE_FAILED", path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new RunError(code, { reason: messageOf(error), errno, run_root: path }, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
