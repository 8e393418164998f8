// The output port: files that a person has requested, outside of every run.
import type { Awaitable } from "../kernel/awaitable.ts";

export interface OutputOptions {
  /** Replaces a file that is there. */
  replace: boolean;
  /** Makes the folders above it that are not there. */
  makesFolders?: boolean;
  /** A folder in which nothing is written, also when a link leads there; null for none. */
  keepOut: string | null;
  /** Other users of this machine may not read it; by default the umask decides. */
  isPrivate?: boolean;
}

/** `blocked`: a folder or a device is there, which nothing replaces. */
export type OutputOutcome = "written" | "exists" | "blocked" | "kept_out";

export interface Outputs {
  /** `path` is absolute. The file is there whole or not at all. Errors: `WRITE_FAILED`. */
  write(path: string, bytes: Uint8Array, options: OutputOptions): Awaitable<OutputOutcome>;
  /** Removes a file, if it is there. Errors: `WRITE_FAILED`. */
  remove(path: string): Awaitable<void>;
  /** Removes a folder that is empty, and leaves any other. */
  removeEmptyFolder(path: string): Awaitable<void>;
  /** True when `path`, or a folder between it and `folder` above it, is a link. `folder` itself may be one. */
  isLinked(path: string, folder: string): Awaitable<boolean>;
}
