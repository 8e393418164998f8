// The commits of an owner: drafts are checked, sealed, appended, folded, and reported to listeners.
import { RunError } from "../../kernel/errors.ts";
import { timestampAfter, type Clock } from "../../ports/clock.ts";
import type { HeldLease } from "../lease/lease-claim.ts";
import type { CommitListener, CommitOptions } from "../../ports/run-log.ts";
import { checkDrafts } from "../../run/log/drafts.ts";
import { foldRecord } from "../../run/log/fold.ts";
import type { SealedRecords } from "../../run/log/journal.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { AnyRecord, RecordDraft } from "../../run/log/record.ts";
import { CommitQueue, type CommitBatch } from "./commit-queue.ts";
import { JournalCondemned, leaveCondemned, type JournalFile } from "../journal/journal-file.ts";
import type { OwnedFolder } from "./owned-folder.ts";
import type { OwnerFolds } from "./owner-folds.ts";
import { CLAIMED_AGAIN, leaseTaken, type Opening } from "./owner-opening.ts";

export interface CommitParts {
  clock: Clock;
  lease: HeldLease;
  journal: JournalFile;
  manifest: Manifest;
  /** Stands before the first record of this owner; null when it was written already. */
  opening: Opening | null;
  onCommit?: CommitListener | undefined;
}

/** A batch, with the opening before it where that was not written yet. */
interface SealedBatch {
  sealed: SealedRecords;
  openings: number;
}

export class OwnerCommits {
  readonly #folder: OwnedFolder;
  readonly #folds: OwnerFolds;
  readonly #parts: CommitParts;
  #opening: Opening | null;
  readonly #queue = new CommitQueue<SealedBatch>({
    seal: (batch) => this.#seal(batch),
    write: (batch, sealed) => this.#write(batch, sealed),
  });

  constructor(folder: OwnedFolder, folds: OwnerFolds, parts: CommitParts) {
    this.#folder = folder;
    this.#folds = folds;
    this.#parts = parts;
    this.#opening = parts.opening;
  }

  commit(drafts: readonly RecordDraft[], options: CommitOptions): Promise<AnyRecord[]> {
    return this.#queue.commit(drafts, options);
  }

  /** Writes the opening after the lease was claimed again. It is written at once, to find out whether another owner wrote meanwhile. */
  async openAgain(): Promise<void> {
    this.#folder.epoch = this.#parts.lease.record.epoch;
    this.#opening ??= CLAIMED_AGAIN;
    await this.#queue.commitFirst([]);
  }

  /** The first records under an epoch go behind the record that says whose the run is. */
  #seal(batch: CommitBatch): SealedBatch {
    this.#folder.requireAlive();
    const { clock, journal, lease, manifest } = this.#parts;
    const expected = batch[0]?.options.expectedRevision;
    if (expected !== undefined && expected !== manifest.revision)
      throw new RunError("REVISION_MISMATCH", { expected_revision: expected, revision: manifest.revision });
    const openings = this.#opening === null ? [] : [leaseTaken(lease.record, this.#opening)];
    const drafts = [...openings, ...batch.flatMap((commit) => commit.drafts)];
    checkDrafts(manifest, drafts);
    const ts = timestampAfter(manifest.updated_at, clock.nowMs());
    const sealed = journal.seal(drafts, this.#folder.epoch, ts);
    // The opening is written next. If that fails, this owner writes nothing more.
    this.#opening = null;
    return { sealed, openings: openings.length };
  }

  async #write(batch: CommitBatch, { sealed, openings }: SealedBatch): Promise<AnyRecord[]> {
    if (sealed.placed.length === 0) return [];
    const written = await this.#folder.orDie(() => this.#append(sealed));
    if (written.some(({ kind }) => kind === "state.changed")) this.#parts.lease.forgetTakeover();
    for (const record of written) this.#parts.onCommit?.(record);
    const folds = batch.flatMap(({ options }) => options.folds ?? []);
    await this.#folder.orDie(() => this.#folds.writeBehind(written, folds));
    return written.slice(openings);
  }

  async #append(sealed: SealedRecords): Promise<AnyRecord[]> {
    const { journal, lease, manifest } = this.#parts;
    try {
      const placed = await journal.append(sealed);
      for (const record of placed) foldRecord(manifest, record);
      return placed.map(({ record }) => record);
    } catch (error) {
      if (error instanceof JournalCondemned) await leaveCondemned(lease);
      throw error;
    }
  }
}
