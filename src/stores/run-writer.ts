// The owner's handle on a run in files: commits, content, folds and the lease it all hangs on.
import { assert } from "../kernel/assert.ts";
import { errnoOf, RunError } from "../kernel/errors.ts";
import { timestamp, type Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { HeldLease } from "../ports/lease-store.ts";
import type { CommitListener, CommitOptions, LostLease, RefreshOutcome, RunWriter } from "../ports/run-log.ts";
import type { RepairReport } from "../ports/run-folders.ts";
import { checkDrafts } from "../run/drafts.ts";
import { namedContent, type AnyRecord, type RecordDraft, type RecordKind } from "../run/record.ts";
import { foldRecord } from "../run/fold.ts";
import type { SealedRecords } from "../run/journal.ts";
import { MANIFEST_FILE } from "../run/layout.ts";
import { sealManifest } from "../run/manifest-text.ts";
import type { Manifest } from "../run/manifest.ts";
import type { ContentRef } from "../run/common.ts";
import type { Request } from "../run/request.ts";
import type { FoldFile } from "../run/stage-folds.ts";
import type { Stage } from "../run/stage.ts";
import type { ResultRef, Steps } from "../run/step.ts";
import { CommitQueue, type CommitBatch } from "./commit-queue.ts";
import { readContent, setAsideAltered, storeContent } from "./content-files.ts";
import { withTypedErrors } from "./durable-write.ts";
import { badFolds, deriveFolds, expectedFolds, writeFold } from "./fold-files.ts";
import { JournalCondemned, leaveCondemned, type JournalFile } from "./journal-file.ts";
import { CLAIMED_AGAIN, leaseTaken, type Opening } from "./owner-opening.ts";
import { readRequestPart, readRequests, removeRequest } from "./request-files.ts";
import { readRecords, readResult, readSteps } from "./run-files.ts";

/** The fold is written again at the latest when this many records are behind it. */
const MAX_UNFOLDED_RECORDS = 100;

/** Changes that people and other tools look for are folded at once; verdicts and stages with what follows them at once. */
const FOLDED_AT_ONCE: ReadonlySet<string> = new Set<RecordKind>([
  "state.changed",
  "halt.raised",
  "halt.cleared",
  "tick.ended",
  "report.published",
  "report.selected",
  "settings.changed",
  "repair.done",
]);

export interface WriterParts {
  files: Files;
  clock: Clock;
  runRoot: string;
  lease: HeldLease;
  /** Why the lease of the owner before was taken from it. */
  tookOver: string | undefined;
  journal: JournalFile;
  manifest: Manifest;
  foldedRevision: number;
  onCommit?: CommitListener | undefined;
  /** What opening for repair had to do already. */
  remade?: { quarantined: string[]; dropped_records: number } | undefined;
  /** Goes before whatever is written first; null for an owner that has said already whose the run is. */
  opening: Opening | null;
}

/** A batch with the opening before it, where that is still to be written. */
interface SealedBatch {
  sealed: SealedRecords;
  openings: number;
}

export class FileRunWriter implements RunWriter {
  readonly #parts: WriterParts;
  #opening: Opening | null;
  #epoch: number;
  #foldedRevision: number;
  readonly #commits = new CommitQueue<SealedBatch>({
    seal: (batch) => this.#seal(batch),
    write: (batch, sealed) => this.#write(batch, sealed),
  });
  /** Why this writer may write no more. */
  #death: unknown = null;
  #temporaries = 0;
  readonly #durableFolders = new Set<string>();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#foldedRevision = parts.foldedRevision;
    this.#opening = parts.opening;
    this.#epoch = parts.lease.record.epoch;
  }

  get runRoot(): string {
    return this.#parts.runRoot;
  }

  get tookOver(): string | undefined {
    return this.#parts.tookOver;
  }

  get manifest(): Readonly<Manifest> {
    return this.#parts.manifest;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get ownerId(): string {
    return this.#parts.lease.record.owner_id;
  }

  get untoldTakeover(): string | undefined {
    return this.#parts.lease.tookOver;
  }

  // --- commits ----------------------------------------------------------------------------------------------------

  async commit(drafts: readonly RecordDraft[], options: CommitOptions = {}): Promise<AnyRecord[]> {
    return await this.#commits.commit(drafts, options);
  }

  /** Whatever is written first under an epoch goes behind the record that says whose the run is. */
  #seal(batch: CommitBatch): SealedBatch {
    if (this.#death !== null) throw this.#death;
    const expected = batch[0]?.options.expectedRevision;
    if (expected !== undefined && expected !== this.#parts.manifest.revision) {
      throw new RunError("REVISION_MISMATCH", { expected_revision: expected, revision: this.#parts.manifest.revision });
    }
    const openings = this.#opening === null ? [] : [leaseTaken(this.#parts.lease.record, this.#opening)];
    const drafts = [...openings, ...batch.flatMap((commit) => commit.drafts)];
    checkDrafts(this.#parts.manifest, drafts);
    const sealed = this.#parts.journal.seal(drafts, this.#epoch, timestamp(this.#parts.clock.nowMs()));
    // It is written next. Where that fails, this writer writes nothing more.
    this.#opening = null;
    return { sealed, openings: openings.length };
  }

  async #write(batch: CommitBatch, { sealed, openings }: SealedBatch): Promise<AnyRecord[]> {
    if (sealed.placed.length === 0) return [];
    const written = await this.#appendAndFold(sealed);
    if (written.some(({ kind }) => kind === "state.changed")) this.#parts.lease.forgetTakeover();
    for (const record of written) this.#parts.onCommit?.(record);
    await this.#orDie(async () => {
      for (const fold of batch.flatMap(({ options }) => options.folds ?? [])) await this.#writeFold(fold);
      const isDue = this.#parts.manifest.revision - this.#foldedRevision > MAX_UNFOLDED_RECORDS;
      if (isDue || written.some(({ kind }) => FOLDED_AT_ONCE.has(kind))) await this.#writeManifest();
    });
    return written.slice(openings);
  }

  async #appendAndFold(sealed: SealedRecords): Promise<AnyRecord[]> {
    return await this.#orDie(async () => {
      try {
        const placed = await this.#parts.journal.append(sealed);
        for (const record of placed) foldRecord(this.#parts.manifest, record);
        return placed.map(({ record }) => record);
      } catch (error) {
        if (error instanceof JournalCondemned) await leaveCondemned(this.#parts.lease);
        throw error;
      }
    });
  }

  /** A write that failed leaves this writer's view unproven: it writes nothing more. */
  async #orDie<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#typed(work);
    } catch (error) {
      this.#death ??= error;
      throw error;
    }
  }

  /** Gives a failed write its type. What a late owner was writing may have been swept: then it is the lease that it lost. */
  async #typed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withTypedErrors("WRITE_FAILED", this.runRoot, work);
    } catch (error) {
      if (error instanceof RunError && error.facts["errno"] === "ENOENT")
        await withTypedErrors("WRITE_FAILED", this.runRoot, () => this.#requireOwner());
      throw error;
    }
  }

  // --- content ----------------------------------------------------------------------------------------------------

  async storeContent(path: string, bytes: Uint8Array): Promise<ContentRef> {
    if (this.#death !== null) throw this.#death;
    const temporary = this.#temporary();
    return await this.#typed(() =>
      storeContent(
        this.#parts.files,
        this.runRoot,
        { path, bytes },
        { temporary, durableFolders: this.#durableFolders, requireOwner: () => this.#requireOwner() },
      ),
    );
  }

  async readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () => readContent(this.#parts.files, this.runRoot, ref));
  }

  async records(): Promise<AnyRecord[]> {
    return await withTypedErrors("READ_FAILED", this.runRoot, async () =>
      (await this.#parts.journal.records()).map(({ record }) => record),
    );
  }

  async readResult(ref: ResultRef): Promise<unknown> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () =>
      readResult(this.#parts.files, this.runRoot, ref, this.#parts.journal),
    );
  }

  async readSteps(stage: Stage): Promise<Steps> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () =>
      readSteps(this.#parts.files, this.runRoot, this.#parts.manifest, stage),
    );
  }

  /** What only an owner may do to content: a late one must not move what its successor stored. */
  async #requireOwner(): Promise<void> {
    if (await this.#parts.lease.isSuperseded())
      throw new RunError("LOCK_LOST", { reason: "another process took over", epoch: this.#epoch });
  }

  #temporary(): string {
    return `${this.runRoot}/.tmp-${this.#epoch}-${++this.#temporaries}`;
  }

  // --- folds ------------------------------------------------------------------------------------------------------

  async foldNow(): Promise<void> {
    if (this.#death !== null) throw this.#death;
    await this.#orDie(async () => {
      await this.#mendFolds();
      if (this.#foldedRevision !== this.#parts.manifest.revision) await this.#writeManifest();
    });
  }

  async mendFolds(): Promise<string[]> {
    if (this.#death !== null) throw this.#death;
    return await this.#orDie(async () => {
      const mended = await this.#mendFolds();
      if (this.#foldedRevision > 0) return mended;
      // The fold on disk was missing or not to be trusted.
      await this.#writeManifest();
      return [...mended, MANIFEST_FILE];
    });
  }

  /** Writes anew the folds that are missing or bad; the paths are returned. */
  async #mendFolds(): Promise<string[]> {
    if (expectedFolds(this.#parts.manifest).length === 0) return [];
    let derived: Promise<Map<string, FoldFile>> | null = null;
    const derive = (): Promise<Map<string, FoldFile>> => (derived ??= this.#derivedFolds());
    const bad = await badFolds(this.#parts.files, this.runRoot, this.#parts.manifest, derive);
    if (bad.length === 0) return [];
    const folds = await derive();
    for (const { ref } of bad) {
      const fold = folds.get(ref.path);
      assert(fold !== undefined, `a fold that nothing derives: ${ref.path}`);
      await this.#writeFold(fold);
    }
    return bad.map(({ ref }) => ref.path);
  }

  async #derivedFolds(): Promise<Map<string, FoldFile>> {
    const records = await readRecords(this.#parts.files, this.runRoot);
    return await deriveFolds(records, (ref) => readResult(this.#parts.files, this.runRoot, ref, this.#parts.journal));
  }

  async #writeFold(fold: FoldFile): Promise<void> {
    await writeFold(this.#parts.files, this.runRoot, fold, this.#temporary(), this.#durableFolders);
  }

  async #writeManifest(): Promise<void> {
    await this.#writeFold({ path: MANIFEST_FILE, text: sealManifest(this.#parts.manifest).text });
    this.#foldedRevision = this.#parts.manifest.revision;
  }

  // --- requests and lease -----------------------------------------------------------------------------------------

  async requests(): Promise<Request[]> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () => readRequests(this.#parts.files, this.runRoot));
  }

  async requestPart(...asked: Parameters<RunWriter["requestPart"]>): Promise<Uint8Array | null> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () =>
      readRequestPart(this.#parts.files, this.runRoot, ...asked),
    );
  }

  async dropRequest(requestId: string): Promise<void> {
    await withTypedErrors("WRITE_FAILED", this.runRoot, () =>
      removeRequest(this.#parts.files, this.runRoot, requestId),
    );
  }

  async refresh(): Promise<RefreshOutcome> {
    const outcome = await this.#parts.lease.refresh();
    if (outcome.kind === "refreshed" && outcome.reclaimed) {
      const { epoch } = this.#parts.lease.record;
      this.#epoch = epoch;
      this.#opening ??= CLAIMED_AGAIN;
      try {
        // At once, because it tells whether another owner wrote meanwhile.
        await this.#commits.commitFirst([]);
      } catch (error) {
        if (!(error instanceof RunError) || (error.code !== "REVISION_MISMATCH" && error.code !== "LOCK_LOST"))
          throw error;
        // Somebody came and went between the look and the claim: what this writer knows of the run is old.
        const reason = "the lease expired and another process wrote";
        this.#death = new RunError("LOCK_LOST", { reason, epoch }, { cause: error });
        await this.#parts.lease.release();
        return { kind: "lost", code: "LOCK_NOT_OWNED", reason, superseded: true };
      }
    }
    return outcome;
  }

  async findLoss(): Promise<LostLease | null> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () => this.#parts.lease.findLoss());
  }

  async isSuperseded(): Promise<boolean> {
    return await withTypedErrors("READ_FAILED", this.runRoot, () => this.#parts.lease.isSuperseded());
  }

  /** Only for an owner that took the run for repair. */
  async repair(): Promise<RepairReport> {
    if (this.#death !== null) throw this.#death;
    return await this.#orDie(async () => {
      const ownership = { epoch: this.#epoch, requireOwner: () => this.#requireOwner() };
      const records = (await readRecords(this.#parts.files, this.runRoot)).map(({ record }) => record);
      const altered = await setAsideAltered(this.#parts.files, this.runRoot, namedContent(records), ownership);
      const quarantined = [...(this.#parts.remade?.quarantined ?? []), ...altered];
      const rebuilt = await this.#mendFolds();
      await this.#writeManifest();
      return {
        quarantined,
        dropped_records: this.#parts.remade?.dropped_records ?? 0,
        rebuilt: [...rebuilt, MANIFEST_FILE],
      };
    });
  }

  async release(): Promise<void> {
    await this.#foldLast();
    try {
      await this.#parts.journal.close();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
    await this.#parts.lease.release();
    this.#death ??= new RunError("LOCK_NOT_HELD", { reason: "the lease was released", run_root: this.runRoot });
  }

  /** Writes manifest.json as the journal has it, once the work on the run ends. */
  async #foldLast(): Promise<void> {
    const isBehind = this.#foldedRevision > 0 && this.#foldedRevision !== this.#parts.manifest.revision;
    if (!isBehind || this.#death !== null) return;
    try {
      if (!(await this.isSuperseded())) await this.#orDie(() => this.#writeManifest());
    } catch (error) {
      // The next writer folds it; what this owner committed stands in the journal.
      if (!(error instanceof RunError)) throw error;
    }
  }
}
