// The input port: files that a person names, outside of every run.
import type { Awaitable } from "../kernel/awaitable.ts";
import type { SmallFile } from "./small-file.ts";

export interface Inputs {
  /** Reads the whole file. Links are followed. `path` is absolute. */
  read(path: string, maxBytes: number): Awaitable<SmallFile>;
}
