// The port for leases of folders, with or without a run in them: claim, judge, refresh, release.
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

export interface LeaseStore {
  claim(folder: string, options: ClaimOptions): Promise<{ kind: "claimed"; lease: HeldLease } | Held>;
  /** Judges the lease in force. With `nowMs` that reading of the clock alone decides. Writes nothing. */
  judge(folder: string, nowMs?: number): Promise<LeaseJudgement>;
}

/** A lease that this process claimed. */
export interface HeldLease {
  readonly record: LeaseRecord;
  /** Why the lease was taken from the owner before; undefined when it was released or free. */
  readonly tookOver: Takeover | undefined;
  /** The release will not mention `tookOver`: a record says it now, or the last owner left the run in order. */
  forgetTakeover(): void;
  refresh(leaseSeconds?: number): Promise<RefreshOutcome>;
  isSuperseded(): Promise<boolean>;
  /** Why this process lost the lease; null while it holds it. */
  findLoss(): Promise<LostLease | null>;
  /** Notes in place that an fsync of the journal failed, or that the journal was made anew. */
  noteBadSync(isBad: boolean): Promise<void>;
  release(): Promise<RefreshOutcome>;
  /** Drops the handle without releasing the lease. */
  abandon(): Promise<void>;
}
