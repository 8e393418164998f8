// The port for what was found damaged in runs: kept outside of them, so that a read-only command that reads little reports it again.
import type { FileProblem } from "../kernel/errors.ts";

/** Nothing here fails: where notes cannot be kept, there are none. */
export interface DamageNotes {
  /** Adds to what is known of a run. */
  note(runRoot: string, problems: readonly FileProblem[]): void;
  /** All of the run was read, and is well. */
  forget(runRoot: string): void;
  /** What was found in a run and is as it was found: a file that a record names, and else the journal and the file. */
  of(runRoot: string): FileProblem[];
  /** The same for many runs, by the names of their folders. */
  below(runsRoot: string): (name: string) => FileProblem[];
}

export const NO_DAMAGE_NOTES: DamageNotes = { note: () => {}, forget: () => {}, of: () => [], below: () => () => [] };
