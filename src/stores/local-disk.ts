// Refuses work in a folder on a network file system: appends there are not atomic, and a lease may be given to two.
import { RunError } from "../kernel/errors.ts";

export interface Disk {
  /** Names the network file system that a path lies on, or undefined for a local one. */
  networkFileSystemOf?: (path: string) => string | undefined;
}

/** Errors: `INVALID_ARGS`. */
export function requireLocalDisk({ networkFileSystemOf }: Disk, folder: string): void {
  const network = networkFileSystemOf?.(folder);
  if (network === undefined) return;
  const reason = `runs must lie on a local disk: appends are not atomic on ${network}`;
  throw new RunError("INVALID_ARGS", { reason, path: folder });
}
