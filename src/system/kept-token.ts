// A token that outlives this process, in a file that only this user may read.
import fs from "node:fs";
import path from "node:path";
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { KeptToken } from "../ports/kept-token.ts";

const TOKEN_FILE = /^([\w-]{43})\n$/;
const MAX_BYTES = 100;
const OTHERS = 0o077;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** A file of ours without a token in it is replaced: a power cut may leave one. */
export function keptToken({ folder, name, fresh, isNew }: KeptToken): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  requireOurs(folder, fs.lstatSync(folder), "folder");
  const file = path.join(folder, name);
  const before = isNew ? null : tokenIn(file);
  if (before?.token !== undefined) return before.token;
  const temporary = `${file}.${crypto.randomUUID()}`;
  write(temporary, `${fresh}\n`);
  try {
    // Of two servers that start at once, both get the token of the one that links first.
    if (isNew || before !== null) fs.renameSync(temporary, file);
    else fs.linkSync(temporary, file);
    return fresh;
  } catch (error) {
    const linked = errnoOf(error) === "EEXIST" ? tokenIn(file)?.token : undefined;
    if (linked === undefined) throw error;
    return linked;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Null when nothing is there. */
function tokenIn(file: string): { token?: string } | null {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    if (errnoOf(error) === "ELOOP") throw notOurs(file, "it is a link");
    throw error;
  }
  try {
    requireOurs(file, fs.fstatSync(descriptor), "file");
    const bytes = Buffer.alloc(MAX_BYTES);
    const length = fs.readSync(descriptor, bytes, 0, MAX_BYTES, 0);
    const [, token] = TOKEN_FILE.exec(bytes.toString("latin1", 0, length)) ?? [];
    return token === undefined ? {} : { token };
  } finally {
    fs.closeSync(descriptor);
  }
}

function write(file: string, text: string): void {
  const descriptor = fs.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Errors: `INVALID_ARGS`. */
function requireOurs(where: string, facts: fs.Stats, kind: "file" | "folder"): void {
  if (!(kind === "file" ? facts.isFile() : facts.isDirectory())) throw notOurs(where, `it is no ${kind}`, kind);
  if (facts.uid !== process.geteuid?.()) throw notOurs(where, "it belongs to another user", kind);
  if ((facts.mode & OTHERS) !== 0) throw notOurs(where, "other users may read or change it", kind);
}

function notOurs(where: string, why: string, kind: "file" | "folder" = "file"): RunError {
  const reason = `the kept token cannot be trusted, since ${why}: ${where}`;
  return kind === "file"
    ? new RunError("INVALID_ARGS.token_file", { reason, token_file: where })
    : new RunError("INVALID_ARGS.token_folder", { reason, token_folder: where });
}
