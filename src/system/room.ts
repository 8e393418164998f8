// Checks whether a folder can be written now, and leaves nothing behind.
import fs from "node:fs";
import { errnoOf } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";

/** A report and the records before it need about this much. */
const LEAST_FREE_BYTES = 1024 * 1024;
/** Makes a file without a name, of which nothing is left once it is closed. Linux alone has it, and not on every file system. */
const NO_NAME = 0o20000000;
const CANNOT_TELL: ReadonlySet<string | undefined> = new Set([
  "ENOENT",
  "ENOTDIR",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EISDIR",
  "EINVAL",
]);

export const whyNotWritable: Ports["whyNotWritable"] = (folder) => {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    const { blocks, bavail, bsize, files, ffree } = fs.statfsSync(folder);
    // A file system without a size, or without a number of files, says 0 of 0.
    if (blocks > 0 && (bavail * bsize < LEAST_FREE_BYTES || (files > 0 && ffree === 0))) return "ENOSPC";
    if (process.platform === "linux") tryWriting(folder);
    return null;
  } catch (error) {
    const errno = errnoOf(error);
    return errno === undefined || CANNOT_TELL.has(errno) ? null : errno;
  }
};

/** The quota of one user, and a disk that fails, show only when something is written. */
function tryWriting(folder: string): void {
  const { O_WRONLY, O_DIRECTORY } = fs.constants;
  const file = fs.openSync(folder, NO_NAME | O_DIRECTORY | O_WRONLY, 0o600);
  try {
    const bytes = new Uint8Array(LEAST_FREE_BYTES);
    // Only this first block reaches the disk: of what is closed unsynced and has no name nothing is written.
    fs.writeSync(file, bytes, 0, 4096);
    fs.fdatasyncSync(file);
    for (let at = 4096; at < bytes.length;) at += fs.writeSync(file, bytes, at);
  } finally {
    fs.closeSync(file);
  }
}
