// The file port: the few effects on disk that the stores need. Each one may fail.
import type { Awaitable } from "../kernel/awaitable.ts";

export interface FileFacts {
  kind: "file" | "folder" | "other";
  /** Bytes. */
  size: number;
  /** Device and inode. Two paths with equal identity are one file. */
  identity: string;
  links: number;
  /** When it last changed, content or name. Absent where that is not known. */
  changed_at_ms?: number;
}

/**
 * - `append`: must exist; every write goes to the end.
 * - `create`: must not exist; mode 0600; readable and writable in place.
 * - `read`: must exist.
 * - `update`: must exist; reads and writes in place.
 */
export type OpenMode = "append" | "create" | "read" | "update";

/** Failures are thrown with the errno name in `code`. A symbolic link is never followed, and a device never opened. */
export interface FileHandle {
  /** Appends with one system call, and returns how many bytes were taken, which may be fewer than given. */
  write(bytes: Uint8Array): Awaitable<number>;
  /** Writes in place with one system call; may be short. */
  writeAt(bytes: Uint8Array, position: number): Awaitable<number>;
  /** Reads up to `length` bytes; fewer only at the end of the file. */
  readAt(position: number, length: number): Awaitable<Uint8Array>;
  /** After it the contents and the size survive a power cut (fdatasync). */
  sync(): Awaitable<void>;
  facts(): Awaitable<FileFacts>;
  close(): Awaitable<void>;
}

export interface Files {
  open(path: string, mode: OpenMode): Awaitable<FileHandle>;
  /** Facts of the path itself (links are not followed), or null when nothing is there. */
  facts(path: string): Awaitable<FileFacts | null>;
  /** Names in a folder, sorted. */
  list(folder: string): Awaitable<string[]>;
  /** Names of the folders in a folder, sorted, without links to folders. */
  listFolders(folder: string): Awaitable<string[]>;
  /** Makes one folder, mode 0700; its parent must exist. EEXIST when something is there. */
  makeFolder(path: string): Awaitable<void>;
  /** Gives a file a second name; EEXIST when the name is taken. */
  link(from: string, to: string): Awaitable<void>;
  /** Renames, replacing what is at `to`. */
  rename(from: string, to: string): Awaitable<void>;
  remove(path: string): Awaitable<void>;
  /** Removes an empty folder; never what a link leads to. */
  removeFolder(path: string): Awaitable<void>;
  /** fsync of a folder: after it the names in it survive a power cut. */
  syncFolder(path: string): Awaitable<void>;
}
