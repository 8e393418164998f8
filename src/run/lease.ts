// The lease: the time-bounded right to write a run, and the pure rules that judge one.
import { z } from "../kernel/zod.ts";

export const MIN_LEASE_S = 1;
export const MAX_LEASE_S = 3600;

/** An owner that cannot refresh its lease stops its work after this share of it. */
export const STOP_WORK_SHARE = 0.75;

/** Why a lease may be taken from an owner that did not release it. */
const TAKEOVERS = ["expired", "owner_dead", "unreadable", "taken_away", "forced"] as const;
export type Takeover = (typeof TAKEOVERS)[number];

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const MAX_NAME_LENGTH = 200;

/**
 * lock.v1. A record of another tool may hold only pid, lease_seconds, refreshed_at, owner_id and epoch. Then nothing can
 * prove that its owner is dead.
 */
export const leaseRecordSchema = z.object({
  schema_version: z.literal("lock.v1").optional(),
  pid: z.int().min(1),
  /** Start time of the process as the kernel gives it (clock ticks since boot). */
  process_started: z.string().optional(),
  pid_namespace: z.string().optional(),
  hostname: z.string().optional(),
  boot_id: z.string().optional(),
  created_at: z.string().optional(),
  lease_seconds: z.number().min(MIN_LEASE_S).max(MAX_LEASE_S),
  refreshed_at: z.string().regex(UTC_TIME),
  /** Uptime of the host at the last refresh. Within one boot it decides about expiry, since the clock may jump. */
  refreshed_uptime_ms: z.number().min(0).optional(),
  owner_id: z.string().min(1).max(MAX_NAME_LENGTH),
  epoch: z.int().min(1),
  reason: z.string().optional(),
  released_at: z.string().optional(),
  /** Set on release when this owner took over from one that died at work and no record says so yet. */
  took_over: z.enum(TAKEOVERS).optional(),
  /** Set once `.lock` names this claim. From then on a missing `.lock` means that somebody took the lease away. */
  published: z.boolean().optional(),
  /** Set when an fsync of the journal failed. Within this boot nothing may be chained on that file. */
  bad_sync: z.object({ boot_id: z.string(), noted_at: z.string() }).optional(),
});
export type LeaseRecord = z.infer<typeof leaseRecordSchema>;

/** The reason in the lease of a process that writes a further report of a run at rest. */
export const REPORTING = "report generate";

const isText = (value: unknown): boolean => typeof value === "string";
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;
const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && value >= least && value <= most;

type FieldChecks = Partial<Record<keyof LeaseRecord, (value: unknown) => boolean>>;

/** What each field may hold. A lease has at least the first five. */
const REQUIRED = Object.entries({
  pid: isWhole,
  lease_seconds: (value) => isBetween(value, MIN_LEASE_S, MAX_LEASE_S),
  refreshed_at: (value) => typeof value === "string" && UTC_TIME.test(value),
  owner_id: (value) => typeof value === "string" && isBetween(value.length, 1, MAX_NAME_LENGTH),
  epoch: isWhole,
} satisfies FieldChecks);
const OPTIONAL = Object.entries({
  schema_version: (value) => value === "lock.v1",
  process_started: isText,
  pid_namespace: isText,
  hostname: isText,
  boot_id: isText,
  created_at: isText,
  refreshed_uptime_ms: (value) => isBetween(value, 0, Number.MAX_VALUE),
  reason: isText,
  released_at: isText,
  took_over: (value) => TAKEOVERS.some((takeover) => takeover === value),
  published: (value) => typeof value === "boolean",
  bad_sync: (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const { boot_id, noted_at } = value as Record<string, unknown>;
    return isText(boot_id) && isText(noted_at);
  },
} satisfies FieldChecks);

/**
 * A lease record, or null for anything that `leaseRecordSchema` refuses. It is checked by hand because `list` reads thousands,
 * and zod takes ten times as long. A property test shows that the two agree.
 */
export function readLeaseRecord(value: unknown): LeaseRecord | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const record = value as Record<string, unknown>;
  const fits =
    REQUIRED.every(([name, isFit]) => isFit(record[name])) &&
    OPTIONAL.every(([name, isFit]) => record[name] === undefined || isFit(record[name]));
  return fits ? (record as LeaseRecord) : null;
}

/** The process that judges a lease, and the time by both of its clocks. */
export interface Viewpoint {
  hostname: string;
  boot_id: string;
  pid_namespace: string;
  now_ms: number;
  /** Absent where the wall clock alone decides. */
  uptime_ms?: number;
}

/** What the process table says about a pid of this host. */
export type ProcessFacts = { kind: "gone" } | { kind: "alive"; started?: string } | { kind: "unknown" };

/** Says until when a lease is held, or why it is free. */
export type LeaseJudgement =
  | { kind: "held"; record: LeaseRecord; expires_at_ms: number }
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
