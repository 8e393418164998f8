// Writes files so that they are whole under their name or not there, and on disk before the call returns.
import type { Awaitable } from "../../kernel/awaitable.ts";
import { describeCause, errnoOf, RunError } from "../../kernel/errors.ts";
import type { FileHandle, Files } from "../../ports/files.ts";
import { TEMPORARY_PREFIX } from "../../run/log/layout.ts";

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

/** Errors: `WRITE_FAILED` when the system takes fewer bytes than given. What it took is debris. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array, path: string): Promise<void> {
  const taken = await handle.write(bytes);
  if (taken !== bytes.byteLength) {
    throw new RunError("WRITE_FAILED", { reason: "a short write", path, wanted: bytes.byteLength, taken });
  }
}

/** Replaces a file as a whole: readers see the old bytes or the new ones. */
export async function replaceFile(
  files: Files,
  place: { temporary: string; path: string },
  bytes: Uint8Array,
): Promise<void> {
  const handle = await writeTemporary(files, place.temporary, bytes);
  await handle.close();
  await files.rename(place.temporary, place.path);
  await files.syncFolder(folderOf(place.path));
}

/** Creates a file under a name that must be free; false when it is taken. */
export async function createFile(
  files: Files,
  place: { temporary: string; path: string },
  bytes: Uint8Array,
): Promise<boolean> {
  const handle = await writeTemporary(files, place.temporary, bytes);
  await handle.close();
  return await nameFile(files, place);
}

/** Gives a temporary file its name, durably; false when the name is taken. The temporary name goes in either case. */
export async function nameFile(files: Files, place: { temporary: string; path: string }): Promise<boolean> {
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

/**
 * Makes a folder and its missing parents below `root`, durably. Anything else in their place is refused. A folder that is there
 * already may come from a process that died before it synced the name, so it is synced once and remembered in `durable`.
 */
export async function ensureFolder(
  files: Files,
  root: string,
  relative: string,
  durable = new Set<string>(),
): Promise<void> {
  let path = root;
  for (const part of relative.split("/")) {
    const parent = path;
    path = `${path}/${part}`;
    const facts = await files.facts(path);
    if (facts !== null && facts.kind !== "folder")
      throw new RunError("INTEGRITY_ERROR", { reason: "a folder was expected here", path });
    if (facts === null) await makeFolder(files, path);
    if (facts !== null && durable.has(path)) continue;
    await files.syncFolder(parent);
    durable.add(path);
  }
}

/** Makes an absolute folder and its parents, durably; where one exists it may also be a link to a folder. */
export async function ensureAbsoluteFolder(files: Files, path: string): Promise<void> {
  const parent = folderOf(path);
  const above = parent === "" ? "/" : parent;
  if ((await files.facts(path)) !== null) {
    // It is synced as in `ensureFolder`. A folder above that is closed to this user, or read-only, was made long before.
    if (parent !== "") await ensureAbsoluteFolder(files, parent);
    try {
      await files.syncFolder(above);
    } catch (error) {
      if (!CLOSED.has(errnoOf(error))) throw error;
    }
    return;
  }
  if (parent !== "") await ensureAbsoluteFolder(files, parent);
  await makeFolder(files, path);
  await files.syncFolder(above);
}

/** The errors of folders that can never be opened or synced here. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["EACCES", "EPERM", "EINVAL", "EROFS", "ENOTSUP"]);

async function makeFolder(files: Files, path: string): Promise<void> {
  await unlessErrno(["EEXIST"], () => files.makeFolder(path));
}

/**
 * Removes the temporary names of a file that a crash or a failed removal left. A second name of any other form is not
 * ours.
 */
export async function removeTemporaryNames(files: Files, folder: string, identity: string): Promise<void> {
  for (const name of await files.list(folder)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const facts = await files.facts(`${folder}/${name}`);
    if (facts?.identity === identity) await removeQuietly(files, `${folder}/${name}`);
  }
}

/** True for the error of opening something that is no regular file: a link, a folder, a FIFO, a device. */
export function isOddFile(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "ELOOP" || errno === "EMLINK" || errno === "EISDIR" || errno === "EFTYPE" || errno === "ENXIO";
}

/** Removes a temporary file. Failing to remove one costs only space. */
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
  const handle = await unlessErrno(["ENOENT"], () => files.open(path, "read"));
  if (handle === null) return null;
  try {
    const { size } = await handle.facts();
    if (size > maxBytes)
      throw new RunError("INPUT_TOO_LARGE", {
        reason: "the file is larger than it may be",
        path,
        bytes: size,
        max_bytes: maxBytes,
      });
    return await handle.readAt(0, size);
  } finally {
    await handle.close();
  }
}

/** Runs disk work; null when it fails with one of these errors of the system. */
export async function unlessErrno<T>(errnos: readonly string[], work: () => Awaitable<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (errnos.includes(errnoOf(error) ?? "")) return null;
    throw error;
  }
}

/** Runs disk work. An error of the system gets its type; typed errors and bugs pass as they are. */
export async function withTypedErrors<T>(code: DiskCode, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw typedDiskError(code, path, error);
  }
}

type DiskCode = "READ_FAILED" | "WRITE_FAILED";

/** A mount that does not answer, such as one of FUSE whose program has ended. */
const AWAY = new Set(["ETIMEDOUT", "EHOSTDOWN", "EHOSTUNREACH", "ENETDOWN", "ENETUNREACH", "ENOTCONN"]);

export function isAway(error: unknown): boolean {
  return AWAY.has(errnoOf(error) ?? "");
}

/** An error of the system has the code, or `UNAVAILABLE` when the disk is away. Any other error stays as it is. */
export function typedDiskError(code: DiskCode, path: string, error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const file = (error as { path?: unknown }).path;
  const facts = { reason: describeCause(error), errno, path: typeof file === "string" ? file : path, run_root: path };
  return new RunError(isAway(error) ? "UNAVAILABLE" : code, facts, { cause: error });
}
