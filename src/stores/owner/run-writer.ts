// The owner's handle on a run in files: commits, folds, reading, requests and the lease.
import { errnoOf, RunError } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { LostLease, RefreshOutcome } from "../../ports/lease.ts";
import type { CommitOptions, RunWriter } from "../../ports/run-log.ts";
import type { RepairReport } from "../../ports/run-folders.ts";
import type { ContentRef } from "../../run/common.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { AnyRecord, RecordDraft } from "../../run/log/record.ts";
import { namedContent } from "../../run/log/named-content.ts";
import type { Request } from "../../run/log/request.ts";
import type { Stage } from "../../run/stage.ts";
import type { ResultRef, Steps } from "../../run/log/step.ts";
import { readContent, setAsideAltered, storeContent } from "../disk/content-files.ts";
import { withTypedErrors } from "../disk/durable-write.ts";
import { OwnedFolder } from "./owned-folder.ts";
import { OwnerCommits, type CommitParts, type OwnerJournal } from "./owner-commits.ts";
import { OwnerFolds, type FoldPlace } from "./owner-folds.ts";
import { writeFold } from "../journal/fold-files.ts";
import { JournalCondemned, leaveCondemned, type JournalFile } from "../journal/journal-file.ts";
import type { HeldLease } from "../lease/lease-claim.ts";
import { readRequestPart, readRequests, removeRequest } from "../lease/request-files.ts";
import { readRecords, readResult, readSteps } from "../journal/run-files.ts";

export interface WriterParts extends CommitParts {
  files: Files;
  lease: HeldLease;
  journal: JournalFile;
  runRoot: string;
  foldedRevision: number;
  /** What was done already when the run was opened for repair. */
  remade?: { quarantined: string[]; dropped_records: number } | undefined;
}

export class FileRunWriter implements RunWriter {
  readonly runRoot: string;
  readonly #parts: WriterParts;
  readonly #folder: OwnedFolder;
  readonly #folds: OwnerFolds;
  readonly #commits: OwnerCommits;

  constructor(parts: WriterParts) {
    this.runRoot = parts.runRoot;
    this.#parts = parts;
    this.#folder = new OwnedFolder(parts.files, parts.runRoot, parts.lease);
    this.#folds = new OwnerFolds(foldPlace(this.#folder, parts.journal), parts.manifest, parts.foldedRevision);
    this.#commits = new OwnerCommits(this.#folder, this.#folds, { ...parts, journal: leavingCondemned(parts) });
  }

  get manifest(): Readonly<Manifest> {
    return this.#parts.manifest;
  }

  get epoch(): number {
    return this.#folder.epoch;
  }

  get ownerId(): string {
    return this.#parts.lease.record.owner_id;
  }

  get unrecordedTakeover(): string | undefined {
    return this.#parts.lease.tookOver;
  }

  // --- writing ----------------------------------------------------------------------------------------------------

  async commit(drafts: readonly RecordDraft[], options: CommitOptions = {}): Promise<AnyRecord[]> {
    return await this.#commits.commit(drafts, options);
  }

  async storeContent(path: string, bytes: Uint8Array): Promise<ContentRef> {
    const folder = this.#folder;
    folder.requireAlive();
    const { durableFolders } = folder;
    const storing = { temporary: folder.newTemporary(), durableFolders, requireOwner: () => folder.requireOwner() };
    return await folder.typed(() => storeContent(folder.files, this.runRoot, { path, bytes }, storing));
  }

  async foldNow(): Promise<void> {
    this.#folder.requireAlive();
    await this.#folder.orDie(() => this.#folds.foldNow());
  }

  async repairFolds(): Promise<string[]> {
    this.#folder.requireAlive();
    return await this.#folder.orDie(() => this.#folds.repair());
  }

  /** Only for an owner that took the run for repair. */
  async repair(): Promise<RepairReport> {
    const { files, remade } = this.#parts;
    this.#folder.requireAlive();
    return await this.#folder.orDie(async () => {
      const records = (await readRecords(files, this.runRoot)).map(({ record }) => record);
      const altered = await setAsideAltered(files, this.runRoot, namedContent(records), this.#folder);
      return {
        quarantined: [...(remade?.quarantined ?? []), ...altered],
        dropped_records: remade?.dropped_records ?? 0,
        rebuilt: await this.#folds.rebuild(),
      };
    });
  }

  // --- reading ----------------------------------------------------------------------------------------------------

  async readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array> {
    return await this.#reading(() => readContent(this.#parts.files, this.runRoot, ref));
  }

  async records(): Promise<AnyRecord[]> {
    return await this.#reading(async () => (await this.#parts.journal.records()).map(({ record }) => record));
  }

  async readResult(ref: ResultRef): Promise<unknown> {
    return await this.#reading(() => readResult(this.#parts.files, this.runRoot, ref, this.#parts.journal));
  }

  async readSteps(stage: Stage): Promise<Steps> {
    return await this.#reading(() => readSteps(this.#parts.files, this.runRoot, this.#parts.manifest, stage));
  }

  #reading<T>(work: () => Promise<T>): Promise<T> {
    return withTypedErrors("READ_FAILED", this.runRoot, work);
  }

  // --- requests and lease -----------------------------------------------------------------------------------------

  async requests(): Promise<Request[]> {
    return await this.#reading(() => readRequests(this.#parts.files, this.runRoot));
  }

  async requestPart(...args: Parameters<RunWriter["requestPart"]>): Promise<Uint8Array | null> {
    return await this.#reading(() => readRequestPart(this.#parts.files, this.runRoot, ...args));
  }

  async dropRequest(requestId: string): Promise<void> {
    await withTypedErrors("WRITE_FAILED", this.runRoot, () =>
      removeRequest(this.#parts.files, this.runRoot, requestId),
    );
  }

  async refresh(): Promise<RefreshOutcome> {
    const outcome = await this.#parts.lease.refresh();
    if (outcome.kind !== "refreshed" || !outcome.reclaimed) return outcome;
    try {
      await this.#commits.openAgain();
      return outcome;
    } catch (error) {
      if (!(error instanceof RunError) || (error.code !== "REVISION_MISMATCH" && error.code !== "LOCK_LOST"))
        throw error;
      // Another owner came and went between the check and the claim, so what this writer knows of the run is old.
      const reason = "the lease expired and another process wrote";
      this.#folder.death = new RunError("LOCK_LOST", { reason, epoch: this.epoch }, { cause: error });
      await this.#parts.lease.release();
      return { kind: "lost", code: "LOCK_NOT_OWNED", reason, superseded: true };
    }
  }

  async findLoss(): Promise<LostLease | null> {
    return await this.#reading(() => this.#parts.lease.findLoss());
  }

  async isSuperseded(): Promise<boolean> {
    return await this.#reading(() => this.#parts.lease.isSuperseded());
  }

  async release(): Promise<void> {
    await this.#foldLast();
    try {
      await this.#parts.journal.close();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
    await this.#parts.lease.release();
    this.#folder.death ??= new RunError("LOCK_NOT_HELD", { reason: "the lease was released", run_root: this.runRoot });
  }

  /** Writes manifest.json a last time if it is behind. */
  async #foldLast(): Promise<void> {
    if (!this.#folds.isBehind || this.#folder.death !== null) return;
    try {
      if (!(await this.isSuperseded())) await this.#folder.orDie(() => this.#folds.writeManifest());
    } catch (error) {
      // What this owner committed is in the journal, and the next writer folds it.
      if (!(error instanceof RunError)) throw error;
    }
  }
}

function foldPlace(folder: OwnedFolder, journal: JournalFile): FoldPlace {
  const { files, runRoot, durableFolders } = folder;
  return {
    files: () => files,
    runRoot,
    write: (fold) => writeFold(files, runRoot, fold, folder.newTemporary(), durableFolders),
    records: () => readRecords(files, runRoot),
    readResult: (ref) => readResult(files, runRoot, ref, journal),
  };
}

/** A journal whose fsync fails is left with the note of it in the lease. */
function leavingCondemned({ journal, lease }: WriterParts): OwnerJournal {
  return {
    seal: (...args) => journal.seal(...args),
    async append(sealed) {
      try {
        return await journal.append(sealed);
      } catch (error) {
        if (error instanceof JournalCondemned) await leaveCondemned(lease);
        throw error;
      }
    },
  };
}
