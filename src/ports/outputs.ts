// The output port: files that a person asked for, outside of every run.
import type { Awaitable } from "../kernel/awaitable.ts";

export interface OutputOptions {
  /** Replaces a file that is there. */
  replace: boolean;
  /** Makes the folders above it that are not there. */
  makesFolders?: boolean;
  /** A folder in which nothing is written, whatever the path looks like. */
  keepOut: string;
}

/** `blocked`: a folder or a device is there, which nothing replaces. */
export type OutputOutcome = "written" | "exists" | "blocked" | "kept_out";

export interface Outputs {
  /** `path` is absolute. The file is there whole or not at all. Errors: `WRITE_FAILED`. */
  write(path: string, bytes: Uint8Array, options: OutputOptions): Awaitable<OutputOutcome>;
}
