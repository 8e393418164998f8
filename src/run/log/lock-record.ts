// The record of a lease of a folder, as other programs read it.
import { z } from "../../kernel/zod.ts";
import { MAX_LEASE_S, MIN_LEASE_S } from "../lease.ts";

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
  /** Set once `.lock` names this claim. From then on a missing `.lock` means that the lease was taken away. */
  published: z.boolean().optional(),
  /** Set when an fsync of the journal failed. Within this boot nothing may be chained on that file. */
  bad_sync: z.object({ boot_id: z.string(), noted_at: z.string() }).optional(),
});
export type LeaseRecord = z.infer<typeof leaseRecordSchema>;

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
