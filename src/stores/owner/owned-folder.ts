// The run root as its owner writes it: names for temporary files, and the right to write, which ends with the first failure.
import { RunError, isFault } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { HeldLease } from "../lease/lease-claim.ts";
import { withTypedErrors } from "../disk/durable-write.ts";

export class OwnedFolder {
  readonly files: Files;
  readonly runRoot: string;
  /** The epoch that is written under. */
  epoch: number;
  /** Why nothing more may be written; null while it may. */
  death: unknown = null;
  /** Folders whose names are known to be on disk. */
  readonly durableFolders = new Set<string>();
  readonly #lease: HeldLease;
  #temporaries = 0;

  constructor(files: Files, runRoot: string, lease: HeldLease) {
    this.files = files;
    this.runRoot = runRoot;
    this.epoch = lease.record.epoch;
    this.#lease = lease;
  }

  /** A path in the run root that no other file has. */
  newTemporary(): string {
    return `${this.runRoot}/.tmp-${this.epoch}-${++this.#temporaries}`;
  }

  requireAlive(): void {
    if (this.death !== null) throw this.death;
  }

  /** After a failed write the owner does not know what is on disk, so it writes nothing more. */
  async orDie<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.typed(work);
    } catch (error) {
      this.death ??= error;
      throw error;
    }
  }

  /** Gives a failed write its type. `LOCK_LOST` when a successor swept away what this late owner was writing. */
  async typed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withTypedErrors("WRITE_FAILED", this.runRoot, work);
    } catch (error) {
      if (isFault(error, "WRITE_FAILED") && error.facts.errno === "ENOENT")
        await withTypedErrors("WRITE_FAILED", this.runRoot, () => this.requireOwner());
      throw error;
    }
  }

  /** To be called before a file is moved, since a late owner must not move what its successor stored. Errors: `LOCK_LOST`. */
  async requireOwner(): Promise<void> {
    if (await this.#lease.isSuperseded())
      throw new RunError("LOCK_LOST", { reason: "another process took over", epoch: this.epoch });
  }
}
