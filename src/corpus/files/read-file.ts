// Reads one file of a corpus: it follows no link, opens no device, takes no more bytes than allowed, and only one state.
import fs from "node:fs";
import path from "node:path";
import { assert } from "../../kernel/assert.ts";
import { errnoOf } from "../../kernel/errors.ts";
import { maxBytesOf } from "../formats/formats.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import type { Skipped, SkipReason } from "../formats/skipped.ts";

/** A larger file is read in pieces, so that other work gets its turn. */
const PIECE_BYTES = 1024 * 1024;
const MAX_TRIES = 3;
// Without O_NONBLOCK, opening a pipe would wait for a writer.
const OPEN_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

type ReadOutcome = { kind: "read"; bytes: Buffer; facts: fs.BigIntStats } | { kind: "skipped"; skipped: Skipped };

/** Reads `relativePath` below `root`, which has to be a real path. */
export async function readCorpusFile(root: string, relativePath: string, pacer: Pacer): Promise<ReadOutcome> {
  const absolutePath = path.join(root, relativePath);
  assert(
    absolutePath.startsWith(root.endsWith(path.sep) ? root : root + path.sep),
    "the path of a document stays below its root",
  );
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(absolutePath, OPEN_FLAGS);
    // A folder on the way may have become a link since the walk. The check comes after opening, so that it cannot be swapped.
    if (!isInPlace(absolutePath, descriptor)) return leftOut(relativePath, "symbolic_link");
    return await readOpened(relativePath, descriptor, pacer);
  } catch (error) {
    return { kind: "skipped", skipped: skippedBy(relativePath, error) };
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function isInPlace(absolutePath: string, descriptor: number): boolean {
  const folder = path.dirname(absolutePath);
  if (fs.realpathSync.native(folder) !== folder) return false;
  const opened = fs.fstatSync(descriptor, { bigint: true });
  const named = fs.lstatSync(absolutePath, { bigint: true });
  return opened.ino === named.ino && opened.dev === named.dev;
}

async function readOpened(relativePath: string, descriptor: number, pacer: Pacer): Promise<ReadOutcome> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    const before = fs.fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) return leftOut(relativePath, "not_regular");
    if (before.size > BigInt(maxBytesOf(relativePath))) return leftOut(relativePath, "oversized");
    if (before.size === 0n) return leftOut(relativePath, "empty");
    const bytes = await readAll(descriptor, Number(before.size), pacer);
    const after = fs.fstatSync(descriptor, { bigint: true });
    if (stampOf(before) === stampOf(after) && bytes.byteLength === Number(after.size)) {
      return { kind: "read", bytes, facts: after };
    }
  }
  return leftOut(relativePath, "changing");
}

async function readAll(descriptor: number, size: number, pacer: Pacer): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const taken = fs.readSync(descriptor, bytes, filled, Math.min(PIECE_BYTES, size - filled), filled);
    if (taken === 0) break;
    filled += taken;
    if (filled < size) await pacer.pause();
  }
  return bytes.subarray(0, filled);
}

/** Equal stamps mean that the file was not touched in between. ctime finds a change that puts the old mtime back. */
export function stampOf(facts: fs.BigIntStats): string {
  return `${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}:${facts.dev}:${facts.ino}`;
}

/** The reason for a failed system call. Any other error is rethrown. */
export function skippedBy(relativePath: string, error: unknown): Skipped {
  const errno = errnoOf(error);
  switch (errno) {
    case undefined:
      throw error;
    case "ENOENT":
    case "ENOTDIR":
      return { path: relativePath, reason: "vanished" };
    case "ELOOP":
      return { path: relativePath, reason: "symbolic_link" };
    case "ENXIO":
      return { path: relativePath, reason: "not_regular" };
    default:
      return { path: relativePath, reason: "unreadable", detail: errno };
  }
}

function leftOut(relativePath: string, reason: SkipReason): ReadOutcome {
  return { kind: "skipped", skipped: { path: relativePath, reason } };
}
