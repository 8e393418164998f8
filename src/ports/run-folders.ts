// The port for what there is only where runs lie in folders: making them durable, repairing them, sweeping up unfinished ones.
import { RunError } from "../kernel/errors.ts";
import type { RecordData } from "../run/log/record.ts";
import type { Held } from "./lease.ts";
import type { RunWriter } from "./run-log.ts";

export interface RunFolders {
  /**
   * Makes what `look` shows survive a power cut, whichever process wrote it. To be called before a state that another process committed
   * is acknowledged. Errors: `WRITE_FAILED` when the disk refuses or an fsync of the journal failed.
   */
  makeDurable(runRoot: string): Promise<void>;
  /** Takes a run as `acquire` does, even if its journal is damaged. */
  acquireForRepair(runRoot: string): Promise<UnderRepair | Held>;
  /** What is left of a run that was never begun. Null for a run, and for a folder of anything else. */
  unbegunAt(runRoot: string): Promise<UnbegunFolder | null>;
  /** Finishes removals that were cut off under a runs root. Returns the bytes that were freed. */
  sweepRemoved(runsRoot: string): Promise<number>;
}

/** Of a store that keeps its runs in no folders: what it shows is durable, and nothing is left half made. */
export const NO_FOLDERS: RunFolders = {
  makeDurable: async () => undefined,
  acquireForRepair: async (runRoot) => {
    throw new RunError("INVALID_ARGS.stored_run", {
      reason: "a run in a store is repaired as a folder",
      run_root: runRoot,
    });
  },
  unbegunAt: async () => null,
  sweepRemoved: async () => 0,
};

/** A folder in which a run was to be made, and no journal was ever linked. */
export interface UnbegunFolder {
  run_root: string;
  bytes: number;
  /** No process has its lease, and nothing has changed in it for an hour. */
  is_left: boolean;
}

export interface UnderRepair {
  kind: "acquired";
  writer: RunWriter;
  /** Quarantines damage and rebuilds what can be rebuilt. */
  repair(): Promise<RepairReport>;
}

export type RepairReport = Pick<RecordData<"repair.done">, "quarantined" | "dropped_records" | "rebuilt">;
