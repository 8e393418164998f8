// The file port over the operating system. Calls are synchronous: one system call, no thread hop, no hidden retry.
import fs from "node:fs";
import type { FileFacts, FileHandle, Files, OpenMode } from "../ports/files.ts";

const { constants } = fs;

/** Links are never followed, and opening a FIFO never waits. */
const SAFE = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FLAGS: Record<OpenMode, number> = {
  append: constants.O_RDWR | constants.O_APPEND | SAFE,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | SAFE,
  read: constants.O_RDONLY | SAFE,
  update: constants.O_RDWR | SAFE,
};

export const realFiles: Files = {
  open(path, mode) {
    const descriptor = fs.openSync(path, FLAGS[mode], 0o600);
    const facts = factsOf(fs.fstatSync(descriptor));
    if (facts.kind === "file") return new RealFileHandle(descriptor, mode === "read" ? facts : null);
    fs.closeSync(descriptor);
    throw Object.assign(new Error(`not a regular file: ${path}`), { code: "EFTYPE" });
  },
  facts(path) {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : factsOf(stat);
  },
  list: (folder) => fs.readdirSync(folder).sort(byCodeUnit),
  listFolders(folder) {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (isFolder(entry) ? [entry.name] : [])).sort(byCodeUnit);
  },
  makeFolder: (path) => fs.mkdirSync(path, { mode: 0o700 }),
  link: (from, to) => fs.linkSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  removeFolder: (path) => fs.rmdirSync(path),
  syncFolder(path) {
    const descriptor = fs.openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      repeatedly(() => fs.fsyncSync(descriptor));
    } finally {
      fs.closeSync(descriptor);
    }
  },
};

class RealFileHandle implements FileHandle {
  readonly #descriptor: number;
  /** The facts from opening, for the first call of `facts`: most files are opened, measured and read at once. */
  #found: FileFacts | null;

  constructor(descriptor: number, found: FileFacts | null) {
    this.#descriptor = descriptor;
    this.#found = found;
  }

  write(bytes: Uint8Array): number {
    return fs.writeSync(this.#descriptor, bytes, 0, bytes.byteLength, null);
  }

  writeAt(bytes: Uint8Array, position: number): number {
    return fs.writeSync(this.#descriptor, bytes, 0, bytes.byteLength, position);
  }

  readAt(position: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const taken = fs.readSync(this.#descriptor, bytes, filled, length - filled, position + filled);
      if (taken === 0) break;
      filled += taken;
    }
    return filled === length ? bytes : bytes.subarray(0, filled);
  }

  /** The bytes and the size survive a power cut. The time of the last change may be lost. */
  sync(): void {
    repeatedly(() => fs.fdatasyncSync(this.#descriptor));
  }

  facts(): FileFacts {
    const facts = this.#found ?? factsOf(fs.fstatSync(this.#descriptor));
    this.#found = null;
    return facts;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}

/** Some file systems do not say in a list what an entry is. */
function isFolder(entry: fs.Dirent): boolean {
  if (entry.isDirectory()) return true;
  if (entry.isFile() || entry.isSymbolicLink()) return false;
  return fs.lstatSync(`${entry.parentPath}/${entry.name}`, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A signal may interrupt a sync, which says nothing about the data. Bun does not repeat it, so this does. */
function repeatedly(sync: () => void): void {
  for (let attempt = 1; ; attempt++) {
    try {
      sync();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== "EINTR" || attempt === 100) throw error;
    }
  }
}

function factsOf(stat: fs.Stats): FileFacts {
  return {
    kind: stat.isFile() ? "file" : stat.isDirectory() ? "folder" : "other",
    size: stat.size,
    identity: `${stat.dev}:${stat.ino}`,
    links: stat.nlink,
    changed_at_ms: stat.ctimeMs,
  };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
