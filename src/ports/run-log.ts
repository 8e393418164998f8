// The log of a run: make a run, look at it, hold its lease, append records by compare-and-set, keep the content they name.
import type { ContentRef, FoldedUpTo } from "../run/common.ts";
import type { AnyRecord, FirstDrafts, RecordDraft } from "../run/record.ts";
import type { LeaseRecord } from "../run/lease.ts";
import type { ExecutionState } from "../run/lifecycle.ts";
import type { Manifest } from "../run/manifest.ts";
import type { Request } from "../run/request.ts";
import type { FoldFile } from "../run/stage-folds.ts";
import type { Stage } from "../run/stage.ts";
import type { ResultRef, Steps } from "../run/step.ts";

/** Who holds a run, as it was when looked at. `null` stands for a lease that is nobody's. */
export interface LeaseView {
  held: { record: LeaseRecord; expires_at_ms: number } | null;
  /** The record in force when it is not held, with the reason. */
  stale: { why: string; record?: LeaseRecord } | null;
}

/** A run as it stands, read without the lease and without writing. */
export interface RunLook {
  runRoot: string;
  manifest: Manifest;
  lease: LeaseView;
  /** The recorded state, or `interrupted` when the owner died at work. */
  state: ExecutionState;
  /** The revision of the state shown beside the log, which lags behind after a crash; 0 when it cannot be trusted. */
  shownRevision: number;
  /** Requests that wait for the owner. */
  requests: Request[];
  /** What does not verify and stood in the way of looking; `inspect` reads everything and may find more. */
  problems: FileProblem[];
}

export interface LookOptions {
  /**
   * Show a run also by what is left of a log that ends before records that were acknowledged, with the problem: for looks
   * that nobody acts on. Without it that is `INTEGRITY_ERROR`.
   */
  cutShort?: boolean;
}

export interface InspectOptions {
  /** Without it the content files are left to the caller. */
  withContent?: boolean;
}

export interface Inspection {
  /** Those that count, up to the first damage. */
  records: AnyRecord[];
  isDamaged: boolean;
  /** The fold of every record that counts, made from the first byte. */
  manifest: Manifest | null;
  problems: FileProblem[];
  /** Folds that are missing or behind; the next writer brings them up. */
  behind: string[];
  notes: string[];
}

export interface FileProblem {
  path: string;
  expected: string;
  found: string;
}

export interface AcquireOptions {
  reason?: string;
  lease_seconds?: number;
  /** Take the lease even from a live owner: the sweep's way to end a hung one. */
  force?: boolean;
  /** Say whose the run is with the first commit, not before it: a caller that refuses then leaves no record. */
  isQuiet?: boolean;
  /** The run as it was just looked at: opening it goes on from there. */
  seen?: Pick<RunLook, "manifest" | "shownRevision">;
  /** Told of every record once it is durable, also of those that a run is made with. */
  onCommit?: CommitListener;
}

/** Another owner holds the lease: who, and until when. */
export interface Held {
  kind: "held";
  by: LeaseRecord;
  expires_at_ms: number;
}

export type Acquisition = { kind: "acquired"; writer: RunWriter } | Held;

export interface LostLease {
  kind: "lost";
  code: "LOCK_NOT_HELD" | "LOCK_NOT_OWNED";
  reason: string;
  /** Another process holds a higher epoch. */
  superseded: boolean;
}

export type RefreshOutcome =
  /** `reclaimed`: the lease had expired unnoticed and was claimed again at the next epoch. */
  { kind: "refreshed"; reclaimed: boolean } | LostLease | { kind: "failed"; reason: string };

export interface CommitOptions {
  expectedRevision?: number;
  folds?: readonly FoldFile[];
}

export interface RunLog {
  /**
   * Makes the run root and the first records in one commit. `exists` when a run is already there.
   * Files are stored before the records that name them.
   */
  create(
    runRoot: string,
    drafts: FirstDrafts,
    files: readonly (NewContent | LaterContent)[],
  ): Promise<{ kind: "created" } | { kind: "exists" }>;
  /**
   * Makes a run as `create` does, and owns it from its first record on: its lease is taken before the run exists. When
   * the maker dies, a look tells so by that lease. `held` when another process is making a run here.
   */
  createOwned(
    runRoot: string,
    drafts: FirstDrafts,
    options: AcquireOptions,
    files?: readonly (NewContent | LaterContent)[],
  ): Promise<Acquisition | { kind: "exists" }>;
  /** Errors: `NOT_FOUND`, `INTEGRITY_ERROR`, `SCHEMA_UNSUPPORTED`. */
  look(runRoot: string, options?: LookOptions): Promise<RunLook>;
  acquire(runRoot: string, options?: AcquireOptions): Promise<Acquisition>;
  /**
   * Every record that counts, in order; the list is the caller's. Those that a look has found folded are known to fit: who
   * says up to which is told them sooner.
   */
  records(runRoot: string, folded?: FoldedUpTo): Promise<AnyRecord[]>;
  /** Follows the log behind the record `afterSeq`, from 0 for all of it. Reads nothing yet. */
  follow(runRoot: string, afterSeq: number): LogTail;
  /** Reads a content file and checks its digest. Errors: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`. */
  readContent(runRoot: string, ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array>;
  /** The value of a finished step. */
  readResult(runRoot: string, ref: ResultRef): Promise<unknown>;
  /** The steps of a stage: from the manifest for the current stage, else from the fold that the stage left behind. */
  readSteps(look: Pick<RunLook, "runRoot" | "manifest">, stage: Stage): Promise<Steps>;
  /** Hands a request to the owner, with the bytes that it names, in their order; durable when it returns. */
  request(runRoot: string, request: Request, parts?: readonly Uint8Array[]): Promise<void>;
  /** Takes a request back that nobody has picked up. */
  withdraw(runRoot: string, requestId: string): Promise<void>;
  /** Reads everything from the first byte and says what does not fit. Writes nothing. */
  inspect(runRoot: string, options?: InspectOptions): Promise<Inspection>;
}

/**
 * The log as it grows. Only durable records are given out: those that their owner noted as durable, and without an
 * owner those that this process made durable.
 */
export interface LogTail {
  /**
   * The records since the last call, in order. Errors: `NOT_FOUND`, `INTEGRITY_ERROR`, `SCHEMA_UNSUPPORTED`;
   * `WRITE_FAILED` when they cannot be made durable.
   */
  next(): Promise<AnyRecord[]>;
}

export interface NewContent {
  path: string;
  bytes: Uint8Array;
}

/** Content that is read only when it is stored, so that of many files one is held at a time. */
export interface LaterContent {
  path: string;
  read: () => Promise<Uint8Array>;
}

/** The owner's handle on a run. Everything it writes is durable when the promise resolves. */
export interface RunWriter {
  readonly runRoot: string;
  readonly epoch: number;
  readonly ownerId: string;
  /** The state after the last commit; never to be changed by the caller. */
  readonly manifest: Readonly<Manifest>;
  /**
   * What the lease was before, where it was taken from a dead, expired or unreadable owner, while the run is as that owner
   * left it at work; undefined once that is written down.
   */
  readonly untoldTakeover: string | undefined;
  /**
   * Appends records in one commit. With `expectedRevision` it fails unless the run is at that revision.
   * `folds` are the files that a `stage.entered` or `url.blocked` record names. Errors: `REVISION_MISMATCH`, `LOCK_LOST`, `WRITE_FAILED`;
   * after the last two the writer is dead.
   */
  commit(drafts: readonly RecordDraft[], options?: CommitOptions): Promise<AnyRecord[]>;
  /** Stores a content file that no later write can change; storing equal bytes again under one name is no error. */
  storeContent(path: string, bytes: Uint8Array): Promise<ContentRef>;
  /** Every record up to the last commit, in order; the list is the caller's. */
  records(): Promise<AnyRecord[]>;
  readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array>;
  readResult(ref: ResultRef): Promise<unknown>;
  readSteps(stage: Stage): Promise<Steps>;
  /** Writes the folds that are behind. */
  foldNow(): Promise<void>;
  /** Rebuilds the folds that are missing or bad; their paths. */
  mendFolds(): Promise<string[]>;
  requests(): Promise<Request[]>;
  /** Bytes that came with a request; null where they are not what it says. */
  requestPart(requestId: string, part: number, ref: Pick<ContentRef, "sha256" | "bytes">): Promise<Uint8Array | null>;
  dropRequest(requestId: string): Promise<void>;
  refresh(): Promise<RefreshOutcome>;
  /** Why this owner lost the lease; null while it holds it. */
  findLoss(): Promise<LostLease | null>;
  /** True when a claim of a higher epoch exists: somebody else took over. */
  isSuperseded(): Promise<boolean>;
  /** Ends the ownership. What is shown beside the log is then at the revision that this owner left. */
  release(): Promise<void>;
}

/** Says which state a commit announces, for progress and events. */
export type CommitListener = (record: AnyRecord) => void;
