// The parts of the machine that the stores use, and a check that no run lies on a network disk.
import { RunError } from "../../kernel/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Files } from "../../ports/files.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Random } from "../../ports/random.ts";

export interface Machine {
  files: Files;
  clock: Clock;
  random: Random;
  processes: Processes;
  /** Names the network file system that a path lies on, or undefined for a local one. */
  networkFileSystemOf?: (path: string) => string | undefined;
}

/** On a network file system appends are not atomic, and a lease may be given to two. Errors: `INVALID_ARGS`. */
export function requireLocalDisk({ networkFileSystemOf }: Machine, folder: string): void {
  const network = networkFileSystemOf?.(folder);
  if (network === undefined) return;
  const reason = `runs must lie on a local disk: appends are not atomic on ${network}`;
  throw new RunError("INVALID_ARGS", { reason, path: folder });
}
