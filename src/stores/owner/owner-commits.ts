// The commits of an owner: drafts are checked, sealed, appended, folded, and reported to listeners.
import { RunError } from "../../kernel/errors.ts";
import { timestampAfter, type Clock } from "../../ports/clock.ts";
import type { CommitListener, CommitOptions } from "../../ports/run-log.ts";
import { checkDrafts } from "../../run/log/drafts.ts";
import { foldRecord } from "../../run/log/fold.ts";
import type { SealedRecords } from "../../run/log/journal.ts";
import type { LeaseRecord } from "../../run/log/lock-record.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { AnyRecord, PlacedRecord, RecordDraft } from "../../run/log/record.ts";
import { CommitQueue, type CommitBatch } from "./commit-queue.ts";
import type { OwnerFolds } from "./owner-folds.ts";
import { CLAIMED_AGAIN, leaseTaken, type Opening } from "./owner-opening.ts";

/** The right to write. It ends with the first failure. */
export interface OwnedPlace {
  /** The epoch that is written under. */
  epoch: number;
  /** Throws why nothing more may be written. */
  requireAlive(): void;
  /** Runs work that writes; when it fails, nothing more may be written. */
  orDie<T>(work: () => Promise<T>): Promise<T>;
}

/** What an owner appends to. */
export interface OwnerJournal {
  /** Chains drafts behind the last record, and writes nothing yet. */
  seal(drafts: readonly RecordDraft[], epoch: number, ts: string): SealedRecords;
  /** Appends sealed records, durably. Returns them with their places. */
  append(sealed: SealedRecords): Promise<PlacedRecord[]>;
}

/** The lease as its owner writes about it. */
export interface OwnerLease {
  readonly record: LeaseRecord;
  /** A record says now why the lease was taken from the owner before. */
  forgetTakeover(): void;
}

export interface CommitParts {
  clock: Clock;
  lease: OwnerLease;
  journal: OwnerJournal;
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
  readonly #place: OwnedPlace;
  readonly #folds: OwnerFolds;
  readonly #parts: CommitParts;
  #opening: Opening | null;
  readonly #queue = new CommitQueue<SealedBatch>({
    seal: (batch) => this.#seal(batch),
    write: (batch, sealed) => this.#write(batch, sealed),
  });

  constructor(place: OwnedPlace, folds: OwnerFolds, parts: CommitParts) {
    this.#place = place;
    this.#folds = folds;
    this.#parts = parts;
    this.#opening = parts.opening;
  }

  commit(drafts: readonly RecordDraft[], options: CommitOptions): Promise<AnyRecord[]> {
    return this.#queue.commit(drafts, options);
  }

  /** Writes the opening after the lease was claimed again. It is written at once, to find out whether another owner wrote meanwhile. */
  async openAgain(): Promise<void> {
    this.#place.epoch = this.#parts.lease.record.epoch;
    this.#opening ??= CLAIMED_AGAIN;
    await this.#queue.commitFirst([]);
  }

  /** The first records under an epoch go behind the record that says whose the run is. */
  #seal(batch: CommitBatch): SealedBatch {
    this.#place.requireAlive();
    const { clock, journal, lease, manifest } = this.#parts;
    const expected = batch[0]?.options.expectedRevision;
    if (expected !== undefined && expected !== manifest.revision)
      throw new RunError("REVISION_MISMATCH", { expected_revision: expected, revision: manifest.revision });
    const openings = this.#opening === null ? [] : [leaseTaken(lease.record, this.#opening)];
    const drafts = [...openings, ...batch.flatMap((commit) => commit.drafts)];
    checkDrafts(manifest, drafts);
    const ts = timestampAfter(manifest.updated_at, clock.nowMs());
    const sealed = journal.seal(drafts, this.#place.epoch, ts);
    // The opening is written next. If that fails, this owner writes nothing more.
    this.#opening = null;
    return { sealed, openings: openings.length };
  }

  async #write(batch: CommitBatch, { sealed, openings }: SealedBatch): Promise<AnyRecord[]> {
    if (sealed.placed.length === 0) return [];
    const written = await this.#place.orDie(() => this.#append(sealed));
    if (written.some(({ kind }) => kind === "state.changed")) this.#parts.lease.forgetTakeover();
    for (const record of written) this.#parts.onCommit?.(record);
    const folds = batch.flatMap(({ options }) => options.folds ?? []);
    await this.#place.orDie(() => this.#folds.writeBehind(written, folds));
    return written.slice(openings);
  }

  async #append(sealed: SealedRecords): Promise<AnyRecord[]> {
    const { journal, manifest } = this.#parts;
    const placed = await journal.append(sealed);
    for (const record of placed) foldRecord(manifest, record);
    return placed.map(({ record }) => record);
  }
}
