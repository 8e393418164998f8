// Checks whether something exists at the path of a corpus, without reading it.
import fs from "node:fs";
import { errnoOf } from "../kernel/errors.ts";
import type { Ports } from "../ports/ports.ts";

const NOT_THERE = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** A path that cannot be checked for another reason counts as existing. Reading it will then say what is wrong. */
export const corpusAt: Ports["corpusAt"] = (path) => {
  try {
    if (!fs.statSync(path).isDirectory()) return "there";
    const folder = fs.opendirSync(path);
    try {
      return folder.readSync() === null ? "empty" : "there";
    } finally {
      folder.closeSync();
    }
  } catch (error) {
    return NOT_THERE.has(errnoOf(error) ?? "") ? "absent" : "there";
  }
};
