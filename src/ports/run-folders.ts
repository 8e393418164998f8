// The folders that runs lie in: which there are, what a disk makes of them, repair and removal.
import type { RecordData } from "../run/record.ts";
import type { Held, LookOptions, RunLook, RunWriter } from "./run-log.ts";

export interface RunFolders {
  /**
   * Names of the folders under a runs root that may hold a run, sorted; null where there is no such folder. Hidden ones
   * and links are none.
   */
  names(runsRoot: string): Promise<string[] | null>;
  /** The runs under a runs root, looked at one by one, sorted by name. Those that cannot be read come with the reason. */
  list(runsRoot: string, options?: LookOptions): AsyncIterable<RunEntry>;
  /**
   * Makes sure that what a look shows survives a power cut, whoever wrote it: to be called before a state that another
   * process committed is acknowledged. Errors: `WRITE_FAILED` when the disk refuses or an fsync of the journal failed.
   */
  makeDurable(runRoot: string): Promise<void>;
  /** Takes a run as `acquire` does, also one whose journal is damaged. */
  acquireForRepair(runRoot: string): Promise<UnderRepair | Held>;
  /** Bytes of the regular files in a run root, as long as they are; nothing behind a link is counted. */
  bytesOf(runRoot: string): Promise<number>;
  /**
   * Removes a run root for good, damaged or not, under its lease. With `expectedRevision` only while the run is at it.
   * Errors: `NOT_FOUND` for what is no run or is reached over a link, `REVISION_MISMATCH`, `WRITE_FAILED`.
   */
  remove(runRoot: string, options?: { expectedRevision?: number }): Promise<Removal>;
  /** Finishes removals that were cut off under a runs root; the bytes that it freed. */
  sweepRemoved(runsRoot: string): Promise<number>;
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
