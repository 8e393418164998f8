// Reads small files that people wrote, and follows the links of a path.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import fs from "node:fs";
import path from "node:path";
import { describeCause } from "../kernel/errors.ts";
import type { SmallFile } from "../ports/inputs.ts";

/** Links are followed; a pipe is never waited for. */
export function readSmallFile(file: string, maxBytes: number): SmallFile {
  // Mostly the file is absent, and checking first costs less than an error.
  if (!fs.existsSync(file))
    return isLink(file) ? { kind: "refused", why: "it is a link to nothing" } : { kind: "absent" };
  let descriptor: number | null = null;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const facts = fs.fstatSync(descriptor);
    if (!facts.isFile()) return { kind: "refused", why: "it is not a regular file" };
    if (facts.size > maxBytes) return { kind: "refused", why: `it is larger than ${maxBytes} bytes` };
    const bytes = new Uint8Array(facts.size);
    const length = fs.readSync(descriptor, bytes, 0, bytes.byteLength, 0);
    return { kind: "read", bytes: bytes.subarray(0, length), realPath: fs.realpathSync(file) };
  } catch (error) {
    return { kind: "refused", why: describeCause(error) };
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

export function isLink(file: string): boolean {
  return unlessThrown(() => fs.lstatSync(file).isSymbolicLink(), false);
}

/** As many links in a row as Linux follows. */
const MAX_LINKS = 40;

/** The absolute path with its links followed, as far as it exists; a link leads also to where nothing is yet. */
export function realPathOf(absolute: string): string {
  return followed(absolute, 0);
}

function followed(absolute: string, links: number): string {
  const missing: string[] = [];
  for (let folder = absolute; ; folder = path.dirname(folder)) {
    try {
      return path.join(fs.realpathSync(folder), ...missing);
    } catch {
      if (folder === path.dirname(folder)) return absolute;
      if (isLink(folder) && links < MAX_LINKS) {
        const target = path.resolve(path.dirname(folder), fs.readlinkSync(folder));
        return followed(path.join(target, ...missing), links + 1);
      }
      missing.unshift(path.basename(folder));
    }
  }
}
