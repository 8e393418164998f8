// The lease: the time-bounded right to write a run, and the pure rules that judge one.
import { z } from "../kernel/schema.ts";
import { timestampSchema } from "./common.ts";

export const MIN_LEASE_S = 1;
export const MAX_LEASE_S = 3600;

/** The share of a lease after which an owner that cannot refresh stops its work. */
export const STOP_WORK_SHARE = 0.75;

/**
 * lock.v1. A record written by another tool may hold only pid, lease_seconds, refreshed_at, owner_id and epoch; its
 * owner is then never provably dead.
 */
export const leaseRecordSchema = z.object({
  schema_version: z.literal("lock.v1").optional(),
  pid: z.number().int().positive(),
  /** Start time of the process as the kernel gives it (clock ticks since boot). */
  process_started: z.string().optional(),
  pid_namespace: z.string().optional(),
  hostname: z.string().optional(),
  boot_id: z.string().optional(),
  created_at: timestampSchema.optional(),
  lease_seconds: z.number().min(MIN_LEASE_S).max(MAX_LEASE_S),
  refreshed_at: z.iso.datetime(),
  /** Uptime of the host at the last refresh; decides between processes of one boot, whatever the clock does. */
  refreshed_uptime_ms: z.number().min(0).optional(),
  owner_id: z.string().min(1).max(200),
  epoch: z.number().int().min(1),
  reason: z.string().max(500).optional(),
  released_at: timestampSchema.optional(),
  /** Set once `.lock` names this claim: from then on a missing `.lock` means that somebody took the lease away. */
  published: z.boolean().optional(),
  /** The journal whose fsync failed under this owner: nothing may be chained on that file within this boot. */
  bad_sync: z.object({ boot_id: z.string(), noted_at: timestampSchema }).optional(),
});
export type LeaseRecord = z.infer<typeof leaseRecordSchema>;

/** The most fields that a look needs of a record: those without which it is no lease. */
const REQUIRED = ["pid", "lease_seconds", "refreshed_at", "owner_id", "epoch"] as const;
const OPTIONAL_TEXTS = ["process_started", "pid_namespace", "hostname", "boot_id", "created_at", "reason", "released_at"] as const;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** What `leaseRecordSchema` accepts, by hand: every look reads a lease, and making a schema would cost it 10 ms. */
export function readLeaseRecord(value: unknown): LeaseRecord | null {
  if (typeof value !== "object" || value === null) return null;
  const record = value as Record<string, unknown>;
  if (REQUIRED.some((name) => record[name] === undefined)) return null;
  const { pid, lease_seconds, refreshed_at, owner_id, epoch, refreshed_uptime_ms, schema_version, published, bad_sync } = record;
  const isWhole = (number: unknown): boolean => Number.isSafeInteger(number) && (number as number) >= 1;
  const isLease =
    isWhole(pid) &&
    isWhole(epoch) &&
    typeof lease_seconds === "number" &&
    lease_seconds >= MIN_LEASE_S &&
    lease_seconds <= MAX_LEASE_S &&
    typeof refreshed_at === "string" &&
    UTC.test(refreshed_at) &&
    !Number.isNaN(Date.parse(refreshed_at)) &&
    typeof owner_id === "string" &&
    owner_id.length >= 1 &&
    owner_id.length <= 200 &&
    OPTIONAL_TEXTS.every((name) => record[name] === undefined || typeof record[name] === "string") &&
    (refreshed_uptime_ms === undefined || (typeof refreshed_uptime_ms === "number" && refreshed_uptime_ms >= 0)) &&
    (schema_version === undefined || schema_version === "lock.v1") &&
    (published === undefined || typeof published === "boolean") &&
    (bad_sync === undefined || (typeof bad_sync === "object" && bad_sync !== null && typeof (bad_sync as { boot_id?: unknown }).boot_id === "string"));
  return isLease ? (record as unknown as LeaseRecord) : null;
}

/** Who asks, and when: this process and both of its clocks. */
export interface Viewpoint {
  hostname: string;
  boot_id: string;
  pid_namespace: string;
  now_ms: number;
  /** Missing where only a clock reading is wanted. */
  uptime_ms?: number;
}

/** What the process table says of a pid on this host. */
export type ProcessFacts = { kind: "gone" } | { kind: "alive"; started?: string } | { kind: "unknown" };

/** Why a lease is nobody's, or that it is held until `expires_at_ms`. */
export type LeaseJudgement =
  | { kind: "held"; record: LeaseRecord; expires_at_ms: number }
  | { kind: "free"; why: "none" | "released" | "expired" | "owner_dead" | "unreadable" | "taken_away"; record?: LeaseRecord };

/** True when the record names a process of this host, boot and pid namespace, so that its pid means something here. */
export function isOfThisBoot(record: LeaseRecord, here: Viewpoint): boolean {
  return (
    record.hostname === here.hostname && record.boot_id === here.boot_id && record.pid_namespace === here.pid_namespace
  );
}

/**
 * Judges one readable lease record. `processFacts` matter only for records of this boot. Expiry goes by uptime where
 * both sides share a boot, else by the clock; an expiry further ahead than the longest lease is invalid.
 */
export function judgeLease(record: LeaseRecord, here: Viewpoint, processFacts: ProcessFacts): LeaseJudgement {
  if (record.released_at !== undefined) return { kind: "free", why: "released", record };
  if (isOfThisBoot(record, here) && isDead(record, processFacts)) return { kind: "free", why: "owner_dead", record };
  const remainingMs = remainingOf(record, here);
  if (remainingMs <= 0 || remainingMs > MAX_LEASE_S * 1000) return { kind: "free", why: "expired", record };
  return { kind: "held", record, expires_at_ms: here.now_ms + remainingMs };
}

function isDead(record: LeaseRecord, facts: ProcessFacts): boolean {
  if (facts.kind === "gone") return true;
  if (facts.kind === "unknown") return false;
  return facts.started !== undefined && record.process_started !== undefined && facts.started !== record.process_started;
}

/** Milliseconds until a record expires; negative when it has. */
export function remainingOf(record: LeaseRecord, here: Viewpoint): number {
  const leaseMs = record.lease_seconds * 1000;
  const sharesBoot = record.boot_id !== undefined && record.boot_id === here.boot_id;
  if (sharesBoot && record.refreshed_uptime_ms !== undefined && here.uptime_ms !== undefined) {
    return record.refreshed_uptime_ms + leaseMs - here.uptime_ms;
  }
  return Date.parse(record.refreshed_at) + leaseMs - here.now_ms;
}

/** True when the journal file was condemned by a failed fsync in this boot. */
export function isCondemned(record: LeaseRecord | undefined, bootId: string): boolean {
  return record?.bad_sync !== undefined && record.bad_sync.boot_id === bootId;
}
