// The pure rules by which a lease record is judged, as one process sees it.
import type { ProcessFacts } from "../../ports/processes.ts";
import { MAX_LEASE_S } from "../../run/lease.ts";
import type { LeaseRecord, Takeover } from "../../run/log/lock-record.ts";

/** The process that judges a lease, and the time by both of its clocks. */
export interface Viewpoint {
  hostname: string;
  boot_id: string;
  pid_namespace: string;
  now_ms: number;
  /** Absent where the wall clock alone decides. */
  uptime_ms?: number;
}

export interface HeldRecord {
  kind: "held";
  record: LeaseRecord;
  expires_at_ms: number;
}

/** Says until when a lease is held, or why it is free. */
export type LeaseJudgement =
  | HeldRecord
  | {
      kind: "free";
      why: "none" | "released" | Takeover;
      /** After a release: an owner before that one died at work, and no record says so yet. */
      took_over?: Takeover;
      record?: LeaseRecord;
    };

/** True when the record is from this host, boot and pid namespace, so that its pid means a process here. */
function isOfThisBoot(record: LeaseRecord, here: Viewpoint): boolean {
  return (
    record.hostname === here.hostname && record.boot_id === here.boot_id && record.pid_namespace === here.pid_namespace
  );
}

/**
 * Judges one readable lease record. `processFacts` matter only for records of this boot. Expiry goes by uptime within one
 * boot, else by the clock. An expiry further away than the longest lease is not believed.
 */
export function judgeLease(record: LeaseRecord, here: Viewpoint, processFacts: ProcessFacts): LeaseJudgement {
  const { released_at, took_over } = record;
  if (released_at !== undefined)
    return { kind: "free", why: "released", record, ...(took_over === undefined ? {} : { took_over }) };
  if (isOfThisBoot(record, here) && isDead(record, processFacts)) return { kind: "free", why: "owner_dead", record };
  const remainingMs = remainingOf(record, here);
  // Also false for NaN, from a date that does not exist: no lease may last for ever.
  const isInForce = remainingMs > 0 && remainingMs <= MAX_LEASE_S * 1000;
  if (!isInForce) return { kind: "free", why: "expired", record };
  return { kind: "held", record, expires_at_ms: here.now_ms + remainingMs };
}

function isDead(record: LeaseRecord, facts: ProcessFacts): boolean {
  if (facts.kind === "gone") return true;
  if (facts.kind === "unknown") return false;
  return (
    facts.started !== undefined && record.process_started !== undefined && facts.started !== record.process_started
  );
}

/**
 * Milliseconds until a record expires, negative when it has. Within one boot uptime decides, but not for a record of another
 * container: some containers count an uptime of their own.
 */
export function remainingOf(record: LeaseRecord, here: Viewpoint): number {
  const leaseMs = record.lease_seconds * 1000;
  const sharesBoot = record.boot_id !== undefined && record.boot_id === here.boot_id;
  const sharesUptime = sharesBoot && record.pid_namespace === here.pid_namespace;
  if (sharesUptime && record.refreshed_uptime_ms !== undefined && here.uptime_ms !== undefined) {
    return record.refreshed_uptime_ms + leaseMs - here.uptime_ms;
  }
  return Date.parse(record.refreshed_at) + leaseMs - here.now_ms;
}

/** True when an fsync of the journal failed in this boot. */
export function isCondemned(record: LeaseRecord | undefined, bootId: string): boolean {
  return record?.bad_sync !== undefined && record.bad_sync.boot_id === bootId;
}
