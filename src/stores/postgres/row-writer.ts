// The owner's handle on a run in rows: the same commits and folds as over files, and statements under the claim of this owner.
import { RunError } from "../../kernel/errors.ts";
import type { LostLease, RefreshOutcome } from "../../ports/lease.ts";
import type { CommitOptions, RunWriter } from "../../ports/run-log.ts";
import { wakesAt } from "../../ports/runs.ts";
import type { ContentRef } from "../../run/common.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";
import type { Manifest } from "../../run/log/manifest.ts";
import type { AnyRecord, PlacedRecord, RecordDraft } from "../../run/log/record.ts";
import type { Request } from "../../run/log/request.ts";
import type { FoldFile } from "../../run/log/stage-folds.ts";
import type { Stage } from "../../run/stage.ts";
import type { ResultRef, Steps } from "../../run/log/step.ts";
import { readRecords, readResult, readSteps } from "../journal/run-files.ts";
import { GIVEN_UP } from "../lease/lease-reading.ts";
import { OwnerCommits, type CommitParts, type OwnedPlace } from "../owner/owner-commits.ts";
import { OwnerFolds, type FoldPlace } from "../owner/owner-folds.ts";
import type { Contents } from "./contents.ts";
import type { Database } from "./database.ts";
import { readNamed, refOf, storeNamed } from "./row-content.ts";
import { RowFolder } from "./row-folder.ts";
import type { RowJournal } from "./row-journal.ts";
import type { RowLease } from "./row-lease.ts";
import { dropRequest, partPath, readRequests } from "./row-requests.ts";
import type { RunRow } from "./run-row.ts";

export interface RowWriterParts extends Omit<CommitParts, "lease" | "journal"> {
  database: Database;
  contents: Contents;
  row: RunRow;
  lease: RowLease;
  journal: RowJournal;
  foldedRevision: number;
}

export class RowRunWriter implements RunWriter {
  readonly runRoot: string;
  readonly #parts: RowWriterParts;
  readonly #place: OwnedRow;
  readonly #folds: OwnerFolds;
  readonly #commits: OwnerCommits;
  /** Those that wait, and the number of all that there have been when they were read. */
  #requests: { requests: Request[]; count: number } | null = null;

  constructor(parts: RowWriterParts) {
    this.runRoot = parts.row.runRoot;
    this.#parts = parts;
    this.#place = new OwnedRow(parts.lease.record.epoch);
    this.#folds = new OwnerFolds(this.#foldPlace(), parts.manifest, parts.foldedRevision);
    this.#commits = new OwnerCommits(this.#place, this.#folds, parts);
  }

  get manifest(): Readonly<Manifest> {
    return this.#parts.manifest;
  }

  get epoch(): number {
    return this.#place.epoch;
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
    this.#place.requireAlive();
    // The bytes are the caller's, who may change them while the server is waited for.
    const own = bytes.slice();
    const ref = refOf(path, own);
    await this.#store(ref, own);
    return ref;
  }

  async #store(ref: ContentRef, bytes: Uint8Array): Promise<void> {
    const { database, contents, row, lease } = this.#parts;
    const entry = { sha256: ref.sha256, size: ref.bytes };
    if (!(await storeNamed(database, contents, row, this.epoch, ref, bytes)))
      await this.#place.orDie(async () => {
        throw await lease.lostError();
      });
    contents.keep(ref.sha256, bytes);
    row.files.set(ref.path, entry);
  }

  async foldNow(): Promise<void> {
    this.#place.requireAlive();
    await this.#place.orDie(() => this.#folds.foldNow());
  }

  async repairFolds(): Promise<string[]> {
    this.#place.requireAlive();
    return await this.#place.orDie(() => this.#folds.repair());
  }

  #foldPlace(): FoldPlace {
    return {
      files: () => this.#files(),
      runRoot: this.runRoot,
      write: (fold) => this.#writeFold(fold),
      records: () => this.#placedRecords(),
      readResult: (ref) => this.readResult(ref),
    };
  }

  async #writeFold({ path, text }: FoldFile): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    if (path !== MANIFEST_FILE) return await this.#store(refOf(path, bytes), bytes);
    const { database, row, lease, manifest } = this.#parts;
    const { count } = await database.rows(
      "update {dr}.run set manifest = $3, shown_seq = $4, wakes_ms = $5 where id = $1 and claim_epoch = $2 and shown_seq <= $4",
      [row.id, this.epoch, text, manifest.revision, wakesAt(manifest)],
    );
    if (count === 0) throw await lease.lostError();
    row.manifest = text;
    row.shown_seq = manifest.revision;
  }

  // --- reading ----------------------------------------------------------------------------------------------------

  async readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array> {
    const { database, contents, row } = this.#parts;
    // What this owner stored or found under the name.
    const kept = row.files.get(ref.path)?.sha256 === ref.sha256 ? contents.kept(ref.sha256) : null;
    return kept ?? (await readNamed(database, contents, this.runRoot, ref));
  }

  async records(): Promise<AnyRecord[]> {
    return (await this.#placedRecords()).map(({ record }) => record);
  }

  async #placedRecords(): Promise<PlacedRecord[]> {
    const { seq, digest } = this.#parts.journal.head;
    return await readRecords(this.#files(), this.runRoot, digest === null ? null : { seq, digest, offset: 0 });
  }

  async readResult(ref: ResultRef): Promise<unknown> {
    return await readResult(this.#files(), this.runRoot, ref, this.#lines());
  }

  /** The line that begins at a byte. */
  #lines(): Parameters<typeof readResult>[3] {
    const { journal } = this.#parts;
    return {
      readAt: async (offset) => new TextEncoder().encode(`${await journal.lineAt(offset)}\n`),
      records: () => this.#placedRecords(),
    };
  }

  async readSteps(stage: Stage): Promise<Steps> {
    return await readSteps(this.#files(), this.runRoot, this.#parts.manifest, stage);
  }

  /** The run as this owner knows it, as a folder. */
  #files(): RowFolder {
    const { database, contents, row, journal } = this.#parts;
    const { seq, digest } = journal.head;
    const now = { ...row, seq, digest: digest ?? "", end: journal.end, tail: [] };
    return new RowFolder({ statements: database, contents, row: now, keeps: true });
  }

  // --- requests and lease -----------------------------------------------------------------------------------------

  async requests(): Promise<Request[]> {
    const { database, row, lease } = this.#parts;
    if (this.#requests === null || this.#requests.count !== lease.requests) {
      this.#requests = await readRequests(database, row.id);
      lease.requests = Math.max(lease.requests, this.#requests.count);
    }
    return [...this.#requests.requests];
  }

  async requestPart(
    requestId: string,
    part: number,
    ref: Pick<ContentRef, "sha256" | "bytes">,
  ): Promise<Uint8Array | null> {
    const { database, contents } = this.#parts;
    try {
      return await readNamed(database, contents, this.runRoot, { path: partPath(requestId, part), sha256: ref.sha256 });
    } catch (error) {
      if (error instanceof RunError && error.code !== "UNAVAILABLE") return null;
      throw error;
    }
  }

  async dropRequest(requestId: string): Promise<void> {
    const { database, row } = this.#parts;
    await dropRequest(database, row.id, requestId);
    this.#requests = null;
  }

  async refresh(): Promise<RefreshOutcome> {
    if (this.#place.death !== null) return (await this.#parts.lease.findLoss()) ?? GIVEN_UP;
    const outcome = await this.#parts.lease.refresh();
    if (outcome.kind !== "refreshed" || !outcome.reclaimed) return outcome;
    await this.#commits.openAgain();
    return outcome;
  }

  async findLoss(): Promise<LostLease | null> {
    return await this.#parts.lease.findLoss();
  }

  async isSuperseded(): Promise<boolean> {
    return await this.#parts.lease.isSuperseded();
  }

  async release(): Promise<void> {
    await this.#foldLast();
    await this.#parts.lease.release();
    this.#place.death ??= new RunError("LOCK_NOT_HELD", { reason: "the lease was released", run_root: this.runRoot });
  }

  /** Brings the manifest up to date, if it is behind. What this owner committed is there, and the next one folds it. */
  async #foldLast(): Promise<void> {
    if (!this.#folds.isBehind || this.#place.death !== null) return;
    try {
      await this.#place.orDie(() => this.#folds.writeManifest());
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
    }
  }
}

class OwnedRow implements OwnedPlace {
  epoch: number;
  death: unknown = null;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  requireAlive(): void {
    if (this.death !== null) throw this.death;
  }

  async orDie<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.death ??= error;
      throw error;
    }
  }
}
