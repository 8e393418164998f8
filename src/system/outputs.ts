// The output port over the operating system: a file is written next to its place, synced, and then given its name.
import fs from "node:fs";
import path from "node:path";
import { describeCause, errnoOf, RunError } from "../kernel/errors.ts";
import { isLink, realPathOf } from "./small-file.ts";
import type { OutputOptions, OutputOutcome, Outputs } from "../ports/outputs.ts";

/** Errors of file systems without hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
/** Errors of file systems that cannot sync folders. */
const NO_FOLDER_SYNC = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "EACCES", "EPERM"]);

const TEMPORARY = /^\.deep-research-[0-9a-f-]{36}\.tmp$/;
/** No export takes this long, so the process that wrote an older file was killed. */
const ABANDONED_MS = 3_600_000;

export const realOutputs: Outputs = {
  write: (output, bytes, options) => done(output, "written", () => writeWhole(output, bytes, options)),
  remove: (output) => done(output, "removed", () => fs.rmSync(output, { force: true })),
  removeEmptyFolder(folder) {
    try {
      fs.rmdirSync(folder);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  },
  isLinked(output, folder) {
    const parts = path.relative(folder, output).split(path.sep);
    return parts.some((_, at) => isLink(path.join(folder, ...parts.slice(0, at + 1))));
  },
};

function done<T>(output: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason = `the file could not be ${what}: ${describeCause(cause)}`;
    throw new RunError("WRITE_FAILED", { reason, errno: errnoOf(cause), output }, { cause });
  }
}

function writeWhole(output: string, bytes: Uint8Array, options: OutputOptions): OutputOutcome {
  const { replace, keepOut, makesFolders = false, isPrivate = false } = options;
  // Links are followed first, since it counts where the file will really be.
  const above = path.dirname(output);
  const folder = makesFolders ? realPathOf(above) : fs.realpathSync(above);
  const place = path.join(folder, path.basename(output));
  if (keepOut !== null && isWithin(place, realPathOf(keepOut))) return "kept_out";
  if (makesFolders) fs.mkdirSync(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  const there = fs.lstatSync(place, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile() && !there.isSymbolicLink()) return "blocked";
  if (there !== undefined && !replace) return "exists";
  sweepAbandoned(folder);
  const temporary = path.join(folder, `.deep-research-${crypto.randomUUID()}.tmp`);
  try {
    writeSynced(temporary, bytes, isPrivate ? 0o600 : 0o666);
    if (replace) fs.renameSync(temporary, place);
    else if (!nameNew(temporary, place)) return "exists";
    syncFolder(folder);
    return "written";
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function isWithin(place: string, folder: string): boolean {
  return `${place}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function writeSynced(file: string, bytes: Uint8Array, mode: number): void {
  const descriptor = fs.openSync(file, "wx", mode);
  try {
    fs.writeFileSync(descriptor, bytes);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Without this sync a power cut may remove the new name. */
function syncFolder(folder: string): void {
  try {
    const descriptor = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(errnoOf(error) ?? "")) throw error;
  }
}

/** Removes what killed exports left in the folder. Failing to do so costs only space. */
function sweepAbandoned(folder: string): void {
  try {
    for (const name of fs.readdirSync(folder).filter((found) => TEMPORARY.test(found))) {
      const file = path.join(folder, name);
      if (Date.now() - fs.lstatSync(file).mtimeMs > ABANDONED_MS) fs.rmSync(file, { force: true });
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Gives the file a name that nothing has; false when something came first. */
function nameNew(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EEXIST") return false;
    if (errno === undefined || !NO_LINKS.has(errno)) throw error;
    if (fs.existsSync(to)) return false;
    fs.renameSync(from, to);
    return true;
  }
}
