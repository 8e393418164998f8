// Asks whether a folder can be written now, and writes nothing to find out.
import fs from "node:fs";
import { errnoOf } from "../kernel/errors.ts";
import { unlessThrown } from "../kernel/unless-thrown.ts";
import type { Ports } from "../ports/ports.ts";

/** A report and the records before it need about this much. */
const LEAST_FREE_BYTES = 1024 * 1024;

/** A quota of one user shows only when something is written. */
export const whyNotWritable: Ports["whyNotWritable"] = (folder) => {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    const errno = errnoOf(error);
    return errno === "EROFS" || errno === "EACCES" ? errno : null;
  }
  const facts = unlessThrown(() => fs.statfsSync(folder), null);
  // A file system without a size, or without a number of files, says 0 of 0.
  if (facts === null || facts.blocks === 0) return null;
  const isFull = facts.bavail * facts.bsize < LEAST_FREE_BYTES || (facts.files > 0 && facts.ffree === 0);
  return isFull ? "ENOSPC" : null;
};
