// The folders of runs: which there are, how they are made durable, repaired and removed.
import type { RecordData } from "../run/log/record.ts";
import type { Held, LookOptions, RunLook, RunWriter } from "./run-log.ts";

export interface RunFolders {
  /**
   * Names of the folders under a runs root that may hold a run, sorted, without hidden folders and links; null when there is no
   * runs root.
   */
  names(runsRoot: string): Promise<string[] | null>;
  /** Looks at the runs under a runs root one by one, sorted by name. A run that cannot be read comes with its error. */
  list(runsRoot: string, options?: LookOptions): AsyncIterable<RunEntry>;
  /**
   * Makes what a look shows survive a power cut, whoever wrote it. To be called before a state that another process committed
   * is acknowledged. Errors: `WRITE_FAILED` when the disk refuses or an fsync of the journal failed.
   */
  makeDurable(runRoot: string): Promise<void>;
  /** Takes a run as `acquire` does, even if its journal is damaged. */
  acquireForRepair(runRoot: string): Promise<UnderRepair | Held>;
  /** The length in bytes of all regular files in a run root, without what lies behind links. */
  bytesOf(runRoot: string): Promise<number>;
  /**
   * Removes a run root for good, damaged or not, under its lease; with `expectedRevision` only at that revision. Errors:
   * `NOT_FOUND` for a folder that is no run or lies behind a link, `REVISION_MISMATCH`, `WRITE_FAILED`.
   */
  remove(runRoot: string, options?: { expectedRevision?: number }): Promise<Removal>;
  /** What is left of a run that was never begun. Null for a run, and for a folder that somebody else made. */
  unbegunAt(runRoot: string): Promise<UnbegunFolder | null>;
  /** Finishes removals that were cut off under a runs root. Returns the bytes that were freed. */
  sweepRemoved(runsRoot: string): Promise<number>;
}

/** A folder in which a run was to be made, and no journal was ever linked. */
export interface UnbegunFolder {
  run_root: string;
  bytes: number;
  /** Nobody has its lease, and nothing has changed in it for an hour. */
  is_left: boolean;
}

export interface RunEntry {
  runRoot: string;
  look: RunLook | null;
  error: unknown;
}

export interface UnderRepair {
  kind: "acquired";
  writer: RunWriter;
  /** Quarantines damage and rebuilds what can be rebuilt. */
  repair(): Promise<RepairReport>;
}

export type RepairReport = Pick<RecordData<"repair.done">, "quarantined" | "dropped_records" | "rebuilt">;

export type Removal = { kind: "removed"; bytes_freed: number } | Held;
