// The queue of commits: one is written at a time, and those that gathered meanwhile share an fsync.
import type { CommitOptions } from "../../ports/run-log.ts";
import type { AnyRecord, RecordDraft } from "../../run/log/record.ts";

interface Waiting {
  drafts: readonly RecordDraft[];
  options: CommitOptions;
  resolve: (written: AnyRecord[]) => void;
  reject: (error: unknown) => void;
}

/** The commits of one write. Only a batch of one has an `expectedRevision`. */
export type CommitBatch = readonly Pick<Waiting, "drafts" | "options">[];

export interface Committing<Sealed> {
  /** Makes a batch ready, and writes nothing yet. */
  seal(batch: CommitBatch): Sealed;
  /** Writes a batch. Returns its records, in order. */
  write(batch: CommitBatch, sealed: Sealed): Promise<AnyRecord[]>;
}

export class CommitQueue<Sealed> {
  readonly #committing: Committing<Sealed>;
  #waiting: Waiting[] = [];
  #isDraining = false;

  constructor(committing: Committing<Sealed>) {
    this.#committing = committing;
  }

  commit(drafts: readonly RecordDraft[], options: CommitOptions): Promise<AnyRecord[]> {
    return this.#enqueue((waiting) => this.#waiting.push(waiting), drafts, options);
  }

  /** Writes these records before those that wait already. */
  commitFirst(drafts: readonly RecordDraft[]): Promise<AnyRecord[]> {
    return this.#enqueue((waiting) => this.#waiting.unshift(waiting), drafts, {});
  }

  #enqueue(
    place: (waiting: Waiting) => void,
    drafts: readonly RecordDraft[],
    options: CommitOptions,
  ): Promise<AnyRecord[]> {
    return new Promise((resolve, reject) => {
      place({ drafts, options, resolve, reject });
      if (!this.#isDraining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    try {
      for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift()) {
        await this.#writeBatch([first, ...this.#unconditionalBehind(first)]);
      }
    } finally {
      this.#isDraining = false;
    }
  }

  /** The next commits that may share a write with the first: none of them expects a revision. */
  #unconditionalBehind(first: Waiting): Waiting[] {
    const hasCondition = ({ options }: Waiting): boolean => options.expectedRevision !== undefined;
    if (hasCondition(first)) return [];
    const next = this.#waiting.findIndex(hasCondition);
    return this.#waiting.splice(0, next < 0 ? this.#waiting.length : next);
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    let sealed: Sealed;
    try {
      sealed = this.#committing.seal(batch);
    } catch (error) {
      // Nothing was written yet, so each commit is tried alone: only the one that is at fault fails.
      if (batch.length > 1) for (const waiting of batch) await this.#writeBatch([waiting]);
      else batch[0]?.reject(error);
      return;
    }
    try {
      const written = await this.#committing.write(batch, sealed);
      let at = 0;
      for (const { drafts, resolve } of batch) resolve(written.slice(at, (at += drafts.length)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
