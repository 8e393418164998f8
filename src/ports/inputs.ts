// The input port: files that a person names, outside of every run.
import type { Awaitable } from "../kernel/awaitable.ts";

export interface Inputs {
  /** Reads the whole file. Links are followed. `path` is absolute. */
  read(path: string, maxBytes: number): Awaitable<SmallFile>;
}

/** The outcome of reading a file that people wrote. */
export type SmallFile =
  | { kind: "absent" }
  /** There, and no file that is read here. */
  | { kind: "refused"; why: string }
  /** `realPath` is where its links led. */
  | { kind: "read"; bytes: Uint8Array; realPath: string };
