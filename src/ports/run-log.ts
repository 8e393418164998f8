// The port for the log of a run: make a run, read it, hold its lease, append records, keep the content that they name.
//
// A store may be out of reach for a while. Each call waits for it, but no longer than `STORE_PATIENCE_MS`, and then fails with
// `UNAVAILABLE`; `refresh` and `release` ask only once. No other error says so, and no error of a driver leaves a store.
import type { FileProblem } from "../kernel/errors.ts";
import type { ContentRef, FoldedUpTo } from "../run/common.ts";
import type { AnyRecord, FirstDrafts, RecordDraft } from "../run/log/record.ts";
import type { LeasePurpose } from "../run/lease.ts";
import type { ExecutionState } from "../run/log/lifecycle.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { Request } from "../run/log/request.ts";
import type { FoldFile } from "../run/log/stage-folds.ts";
import type { Stage } from "../run/stage.ts";
import type { ResultRef, Steps } from "../run/log/step.ts";
import type { Held, LeaseView, LostLease, RefreshOutcome } from "./lease.ts";

export const STORE_PATIENCE_MS = 20_000;

/** A run as it is now, read without the lease and without writing. */
export interface RunLook {
  runRoot: string;
  /** When it was taken, by the clock of the store: that clock has refreshed the lease, and judges it. */
  now_ms: number;
  manifest: Manifest;
  lease: LeaseView;
  /** The recorded state, or `interrupted` when the owner died at work. */
  state: ExecutionState;
  /** The revision of the state that is stored beside the log. It lags behind after a crash; 0 when it cannot be trusted. */
  shownRevision: number;
  /** Requests that wait for the owner. */
  requests: Request[];
  /** What this look has found not to verify. `inspect` reads everything and may find more. */
  problems: FileProblem[];
  /** All of the journal was read, and no record of it counts: the rest is what the manifest says. */
  isLost?: boolean;
}

export interface LookOptions {
  /**
   * When the log ends before records that were acknowledged, show what is left of the run, with the problem. For looks that
   * no command acts on. By default this is `INTEGRITY_ERROR`.
   */
  cutShort?: boolean;
  /** Read the whole log of a run that has not ended, or of every run. By default only what is not folded yet is read. */
  wholeLog?: "of open runs" | "of all runs";
}

export interface InspectOptions {
  /** Check the content files as well, as by default. */
  withContent?: boolean;
}

export interface Inspection {
  /** The records that count, up to the first damage. */
  records: AnyRecord[];
  isDamaged: boolean;
  /** No record counts, or the journal is that of another run: no repair can make anything of it. */
  isLost: boolean;
  /** The fold of every record that counts, made from the first byte. */
  manifest: Manifest | null;
  problems: FileProblem[];
  /** Folds that are missing or behind. The next writer brings them up to date. */
  behind: string[];
  notes: string[];
}

export interface AcquireOptions {
  /** For the record that says whose the run is. */
  reason?: string;
  /** By default `work`. */
  purpose?: LeasePurpose;
  lease_seconds?: number;
  /** Take the lease even from a live owner, as the watchdog does to end one that hangs. */
  force?: boolean;
  /** Write the owner's first record together with the first commit, so that a caller that refuses leaves no record. */
  isQuiet?: boolean;
  /** A `RunLook` that was just taken. Opening the run continues from there. */
  seen?: Pick<RunLook, "manifest" | "shownRevision">;
  /** Called with every record once it is durable, also with those that a run is made with. */
  onCommit?: CommitListener;
}

export type Acquisition = { kind: "acquired"; writer: RunWriter } | Held;

export interface CommitOptions {
  expectedRevision?: number;
  folds?: readonly FoldFile[];
}

export interface RunLog {
  /** Stores the files, then makes the run with its first records in one commit. `exists` when a run is already there. */
  create(
    runRoot: string,
    drafts: FirstDrafts,
    files: readonly (NewContent | LaterContent)[],
  ): Promise<{ kind: "created" } | { kind: "exists" }>;
  /**
   * Makes a run as `create` does, and owns it from its first record on. The lease is taken before the run exists, so that `look`
   * shows when the maker has died. `held` when another process is making a run here.
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
   * Every record that counts, in order, in a list of the caller's own. `folded`: the last folded record, by `look`. The records
   * up to it are known to fit their schemas, so they are read faster.
   */
  records(runRoot: string, folded?: FoldedUpTo): Promise<AnyRecord[]>;
  /** Follows the log behind the record `afterSeq`; 0 for all of it. Reads nothing yet. */
  follow(runRoot: string, afterSeq: number): LogTail;
  /** Reads a content file and checks its digest. Errors: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`. */
  readContent(runRoot: string, ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array>;
  readResult(runRoot: string, ref: ResultRef): Promise<unknown>;
  /** The steps of the current stage, or those that a finished stage left behind. */
  readSteps(look: Pick<RunLook, "runRoot" | "manifest">, stage: Stage): Promise<Steps>;
  /**
   * Hands a request to the owner, durably, with the bytes that it names, in their order. The very same request again is no error.
   * Errors: `INPUT_TOO_LARGE`, `SCHEMA_VALIDATION_FAILED`; `WRITE_FAILED` when another one has its name.
   */
  request(runRoot: string, request: Request, parts?: readonly Uint8Array[]): Promise<void>;
  /** Takes a request back that no owner has picked up. */
  withdraw(runRoot: string, requestId: string): Promise<void>;
  /** Reads everything from the first byte and finds what does not fit. Writes nothing. */
  inspect(runRoot: string, options?: InspectOptions): Promise<Inspection>;
}

/**
 * The log as it grows. Only durable records are returned: those that their owner noted as durable, or when no process owns the run,
 * those that this process made durable.
 */
export interface LogTail {
  /**
   * The records since the last call, in order. Errors: `NOT_FOUND`, `INTEGRITY_ERROR`, `SCHEMA_UNSUPPORTED`;
   * `WRITE_FAILED` when they cannot be made durable.
   */
  next(): Promise<AnyRecord[]>;
  /**
   * Resolves as soon as there may be more than at the last `next` or `wait`, at the latest after `atMostMs`. Over files it looks
   * every 50 ms; a server says so. Errors: the reason of the signal.
   */
  wait(atMostMs: number, signal?: AbortSignal): Promise<void>;
}

export interface NewContent {
  path: string;
  bytes: Uint8Array;
}

/** Content that is read only when it is stored, so that memory holds one file at a time. */
export interface LaterContent {
  path: string;
  read: () => Promise<Uint8Array>;
}

/** The owner's handle on a run. Everything it writes is durable when the promise resolves. */
export interface RunWriter {
  readonly runRoot: string;
  readonly epoch: number;
  readonly ownerId: string;
  /** The state after the last commit. The caller never changes it. */
  readonly manifest: Readonly<Manifest>;
  /**
   * Why the lease was taken from the owner before, when that owner died at work and no record says so yet; undefined
   * otherwise.
   */
  readonly unrecordedTakeover: string | undefined;
  /**
   * Appends records in one commit. Their time is never before that of the record before them. With `expectedRevision` it fails unless the run is at that revision.
   * `folds` are the files that a `stage.entered` or `url.blocked` record names. Errors: `REVISION_MISMATCH`, `LOCK_LOST`, `WRITE_FAILED`,
   * `UNAVAILABLE`; after the last three the writer is dead. After `UNAVAILABLE` the records are there all together, or none is.
   */
  commit(drafts: readonly RecordDraft[], options?: CommitOptions): Promise<AnyRecord[]>;
  /** Stores a content file that no later write changes. Storing equal bytes again under one name is no error. Errors: `INPUT_TOO_LARGE`. */
  storeContent(path: string, bytes: Uint8Array): Promise<ContentRef>;
  /** Every record up to the last commit, in order, in a list of the caller's own. */
  records(): Promise<AnyRecord[]>;
  readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array>;
  readResult(ref: ResultRef): Promise<unknown>;
  readSteps(stage: Stage): Promise<Steps>;
  /** Writes the folds that are behind. */
  foldNow(): Promise<void>;
  /** Rebuilds the folds that are missing or bad. Returns their paths. */
  repairFolds(): Promise<string[]>;
  /** Those that wait. Over files they are there at once; from a server they may come with the next refresh or commit. */
  requests(): Promise<Request[]>;
  /** The bytes that came with a request; null when they are not what the request says. */
  requestPart(requestId: string, part: number, ref: Pick<ContentRef, "sha256" | "bytes">): Promise<Uint8Array | null>;
  dropRequest(requestId: string): Promise<void>;
  /** Errors: `UNAVAILABLE`, after which it may be called again. */
  refresh(): Promise<RefreshOutcome>;
  /** Why this owner lost the lease; null while it holds it. */
  findLoss(): Promise<LostLease | null>;
  /** True when another process took over, with a claim of a higher epoch. */
  isSuperseded(): Promise<boolean>;
  /** Ends the ownership, and brings the state beside the log up to date. Where the store is out of reach, the lease runs out. */
  release(): Promise<void>;
}

export type CommitListener = (record: AnyRecord) => void;
