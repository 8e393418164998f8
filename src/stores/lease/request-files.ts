// The files of requests that wait for the owner of a run.
import { errnoOf, RunError } from "../../kernel/errors.ts";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import type { Files } from "../../ports/files.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { REQUESTS_FOLDER, TEMPORARY_PREFIX } from "../../run/log/layout.ts";
import { REQUEST_ID_PATTERN, requestSchema, type Request } from "../../run/log/request.ts";
import { MAX_CONTENT_BYTES } from "../disk/content-files.ts";
import {
  createFile,
  ensureFolder,
  isOddFile,
  nameFile,
  readWhole,
  removeQuietly,
  unlessErrno,
  writeTemporary,
} from "../disk/durable-write.ts";
import type { Machine } from "../disk/machine.ts";
import { temporaryName } from "../disk/temporary-names.ts";

/** A larger request is neither written nor read. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/**
 * Writes a request. It counts once it has its name, and its parts are written before. Its temporary file is there as long as
 * parts are written, which distinguishes these from the parts of a command that was killed. Errors: `INPUT_TOO_LARGE`; `WRITE_FAILED`
 * when its name is taken.
 */
export async function writeRequest(
  machine: Machine,
  runRoot: string,
  request: Request,
  parts: readonly Uint8Array[],
): Promise<void> {
  const { files } = machine;
  const { request_id } = request;
  const text = textOfRequest(request);
  await ensureFolder(files, runRoot, REQUESTS_FOLDER);
  const temporary = `${runRoot}/${temporaryName(machine, "request")}`;
  const handle = await writeTemporary(files, temporary, text);
  await handle.close();
  try {
    for (const [part, bytes] of parts.entries()) {
      const place = { temporary: `${temporary}-part`, path: partFile(runRoot, request_id, part) };
      if (!(await createFile(files, place, bytes))) throw nameTaken(place);
    }
  } catch (error) {
    await removeQuietly(files, temporary);
    throw error;
  }
  const folder = `${runRoot}/${REQUESTS_FOLDER}`;
  const place = { temporary, path: `${folder}/${request_id}.json` };
  if (await nameFile(files, place)) return;
  const standing = await readRequest(files, place.path);
  if (standing === null || canonicalJson(standing) !== canonicalJson(request)) throw nameTaken(place);
  // It is the very same request. The process that wrote it may have died before the name was durable.
  await files.syncFolder(folder);
}

/**
 * Its bytes as a file. Errors: `INPUT_TOO_LARGE`, since a request that its owner does not read would be acknowledged and never
 * heeded.
 */
export function textOfRequest(request: Request): Uint8Array {
  const text = new TextEncoder().encode(`${canonicalJson(request)}\n`);
  if (text.byteLength > MAX_REQUEST_BYTES)
    throw new RunError("INPUT_TOO_LARGE", {
      reason: "the request is too large",
      request_id: request.request_id,
      bytes: text.byteLength,
      max_bytes: MAX_REQUEST_BYTES,
    });
  return text;
}

function nameTaken({ path }: { path: string }): RunError {
  return new RunError("WRITE_FAILED", { reason: "another request has this name", path });
}

/** The requests that wait, sorted by name. Files that are no requests are left alone. */
export async function readRequests(files: Files, runRoot: string): Promise<Request[]> {
  const folder = `${runRoot}/${REQUESTS_FOLDER}`;
  // Listing follows a link, which may lead out of the run.
  if ((await files.facts(folder))?.kind !== "folder") return [];
  const names = (await unlessErrno(["ENOENT", "ENOTDIR"], () => files.list(folder))) ?? [];
  const requests: Request[] = [];
  for (const name of names) {
    if (!name.endsWith(".json")) continue;
    const request = await readRequest(files, `${folder}/${name}`);
    if (request !== null && `${request.request_id}.json` === name) requests.push(request);
  }
  return requests;
}

async function readRequest(files: Files, path: string): Promise<Request | null> {
  try {
    const bytes = await readWhole(files, path, MAX_REQUEST_BYTES);
    if (bytes === null) return null;
    const parsed = requestSchema.safeParse(parseStrictJson(bytes));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof RunError || errnoOf(error) !== undefined) return null;
    throw error;
  }
}

/** The bytes that came with a request; null when they are not what the request says. */
export async function readRequestPart(
  files: Files,
  runRoot: string,
  requestId: string,
  part: number,
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<Uint8Array | null> {
  try {
    const found = await readWhole(files, partFile(runRoot, requestId, part), Math.min(bytes, MAX_CONTENT_BYTES));
    return found !== null && digestOfBytes(found) === sha256 ? found : null;
  } catch (error) {
    if (error instanceof RunError || isOddFile(error)) return null;
    throw error;
  }
}

function partFile(runRoot: string, requestId: string, part: number): string {
  return `${runRoot}/${REQUESTS_FOLDER}/${requestId}.${part}`;
}

/**
 * Removes a request and its parts. The request goes last, so that after a crash in between its owner finds it again and
 * finishes the removal. Files behind a link, or under a name that no request has, are not ours and stay.
 */
export async function removeRequest(files: Files, runRoot: string, requestId: string): Promise<void> {
  const folder = `${runRoot}/${REQUESTS_FOLDER}`;
  if (!REQUEST_ID_PATTERN.test(requestId) || (await files.facts(folder))?.kind !== "folder") return;
  for (let part = 0; (await files.facts(partFile(runRoot, requestId, part)))?.kind === "file"; part++)
    await removeQuietly(files, partFile(runRoot, requestId, part));
  await removeQuietly(files, `${folder}/${requestId}.json`);
}

const PART = /^([a-z0-9_-]{1,80})\.\d+$/;

/** Removes parts of requests that never got their names. While any request is being written, nothing is removed. */
export async function sweepParts(files: Files, runRoot: string): Promise<void> {
  const folder = `${runRoot}/${REQUESTS_FOLDER}`;
  try {
    if ((await files.facts(folder))?.kind !== "folder") return;
    const parts = (await files.list(folder)).flatMap((name) => {
      const [, requestId] = PART.exec(name) ?? [];
      return requestId === undefined ? [] : [{ path: `${folder}/${name}`, requestId }];
    });
    if (parts.length === 0) return;
    // After the parts were listed: their writers still write, or have named their requests by now, or never will.
    if ((await files.list(runRoot)).some((name) => name.startsWith(`${TEMPORARY_PREFIX}request-`))) return;
    const names = new Set(await files.list(folder));
    for (const { path, requestId } of parts) {
      const isNamed = names.has(`${requestId}.json`);
      if (!isNamed && (await files.facts(path))?.kind === "file") await removeQuietly(files, path);
    }
  } catch (error) {
    // What stays costs space, and the next owner tries again.
    if (errnoOf(error) === undefined) throw error;
  }
}
