// The lease of a run as its store judges it: whose it is, under which epoch, and until when by the clock of the store.
import type { LeasePurpose } from "../run/lease.ts";

export interface Lease {
  owner_id: string;
  epoch: number;
  expires_at_ms: number;
  claimed_at_ms: number;
  refreshed_at_ms: number;
  purpose: LeasePurpose;
  /** What else a store knows of the owner, for people and programs to read. Nothing decides on it. */
  description?: OwnerDescription;
}

export interface OwnerDescription {
  pid?: number;
  hostname?: string | undefined;
  [further: string]: unknown;
}

/** The lease of a run, at the time of a `RunLook`. */
export interface LeaseView {
  held: Lease | null;
  /** A lease that its owner never released, and why it is not held any more. */
  stale: { why: string; description?: OwnerDescription } | null;
}

/** Another owner holds the lease. */
export interface Held {
  kind: "held";
  by: Lease;
}

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
