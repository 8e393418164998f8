// The lease of any folder, with or without a run in it: claim, look, refresh, release.
import type { LeaseJudgement, LeaseRecord, Takeover } from "../run/lease.ts";
import type { Held, LostLease, RefreshOutcome } from "./run-log.ts";

export interface ClaimOptions {
  lease_seconds: number;
  reason?: string;
  /** Take the lease even from a live owner. */
  force?: boolean;
  /** The claim gets a higher epoch than this. */
  aboveEpoch?: number;
}

export type ClaimOutcome = { kind: "claimed"; lease: HeldLease } | Held;

export interface LeaseStore {
  claim(folder: string, options: ClaimOptions): Promise<ClaimOutcome>;
  /** Judges the lease in force; with `nowMs` by that clock reading alone. Writes nothing. */
  judge(folder: string, nowMs?: number): Promise<LeaseJudgement>;
}

/** A lease that this process claimed. */
export interface HeldLease {
  readonly record: LeaseRecord;
  /** Why the lease before it was taken from its owner; undefined after a release or where there was none. */
  readonly tookOver: Takeover | undefined;
  /** The run was written since, or its last owner left it in order: the release does not mention `tookOver`. */
  forgetTakeover(): void;
  refresh(leaseSeconds?: number): Promise<RefreshOutcome>;
  isSuperseded(): Promise<boolean>;
  /** Why this process lost the lease; null while it holds it. */
  findLoss(): Promise<LostLease | null>;
  /** Notes in place that the journal's fsync failed, or that the journal was made anew. */
  noteBadSync(isBad: boolean): Promise<void>;
  release(): Promise<RefreshOutcome>;
  /** Drops the handle without releasing the lease. */
  abandon(): Promise<void>;
}
