// The run lock: the lease of any folder, with or without a run in it. Expected outcomes are returned, never thrown.
import { join, resolve } from "node:path";
import type { ErrorCode } from "../../../src/kernel/errors.ts";
import { z } from "../../../src/kernel/zod.ts";
import { startHeartbeat } from "../../../src/orchestrator/lease-keeper.ts";
import { timestamp } from "../../../src/ports/clock.ts";
import { MAX_LEASE_S, MIN_LEASE_S } from "../../../src/run/lease.ts";
import { LOCK_FILE } from "../../../src/run/log/layout.ts";
import type { LeaseRecord } from "../../../src/run/log/lock-record.ts";
import type { HeldLease } from "../../../src/stores/lease/lease-claim.ts";
import { remainingOf, type LeaseJudgement } from "../../../src/stores/lease/lease-rules.ts";
import { makeLeases } from "../../../src/wiring.ts";
import { failureOf, parseArguments } from "./tool.ts";

const DEFAULT_INTERVAL_MS = 30_000;
const DEFAULT_MAX_FAILURES = 2;
/** A refresh is due well before the lease ends, however short it is. */
const REFRESHES_PER_LEASE = 4;

/** What an acquisition hands out; only this process can use it. */
export interface RunLockHandle {
  readonly run_root: string;
  readonly lock_path: string;
}

export interface RunLockFailure {
  ok: false;
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
}

/** The lease behind each handle. */
const held = new WeakMap<RunLockHandle, HeldLease>();

const leaseSecondsSchema = z.number().min(MIN_LEASE_S).max(MAX_LEASE_S);
const handleSchema = z.custom<RunLockHandle>(
  (value) => typeof value === "object" && value !== null && held.has(value as RunLockHandle),
  {
    message: "not a handle of this process",
  },
);

// --- acquire, look, refresh, release ------------------------------------------------------------------------------

const acquireSchema = z.object({
  run_root: z.string().min(1),
  lease_seconds: leaseSecondsSchema,
  reason: z.string().max(500).optional(),
});

/**
 * While the handle is held, the tools of this process work under its lease, one at a time. Codes: `LOCK_HELD` with the
 * owner in `details`, `INVALID_ARGS`, `NOT_FOUND`, `WRITE_FAILED`.
 */
export async function acquireRunLock(args: {
  run_root: string;
  lease_seconds: number;
  reason?: string;
}): Promise<{ ok: true; handle: RunLockHandle; lock: LeaseRecord } | RunLockFailure> {
  return await returned(async () => {
    const { run_root, lease_seconds, reason } = parseArguments(acquireSchema, args);
    const folder = resolve(run_root);
    const { leases, lent } = makeLeases();
    const outcome = await leases.claim(folder, {
      lease_seconds,
      ...(reason === undefined ? {} : { reason }),
    });
    if (outcome.kind === "held") {
      const expires_at = timestamp(outcome.expires_at_ms);
      const details = { run_root: folder, lock: outcome.record, expires_at };
      return refused("LOCK_HELD", "another owner holds the lease", details);
    }
    const { lease } = outcome;
    const handle: RunLockHandle = { run_root: folder, lock_path: join(folder, LOCK_FILE) };
    held.set(handle, lease);
    lent.lend(folder, lease);
    return { ok: true, handle, lock: lease.record };
  });
}

const detectSchema = z.object({ run_root: z.string().min(1), now_iso: z.iso.datetime({ offset: true }).optional() });

/**
 * The lease in force. `lock` is null when there is none, when it was released or taken away, and when it cannot be read
 * (then `stale` is true). With `now_iso` that clock reading alone decides whether it is stale.
 */
export async function detectRunLock(args: {
  run_root: string;
  now_iso?: string;
}): Promise<{ ok: true; lock_path: string; lock: LeaseRecord | null; stale: boolean } | RunLockFailure> {
  return await returned(async () => {
    const { run_root, now_iso } = parseArguments(detectSchema, args);
    const folder = resolve(run_root);
    const nowMs = now_iso === undefined ? undefined : Date.parse(now_iso);
    return {
      ok: true,
      lock_path: join(folder, LOCK_FILE),
      ...seenIn(await makeLeases().leases.judge(folder, nowMs), nowMs),
    };
  });
}

/** No lease is left to show. */
const NOBODYS: ReadonlySet<string> = new Set(["none", "released", "taken_away"]);

function seenIn(judgement: LeaseJudgement, nowMs: number | undefined): { lock: LeaseRecord | null; stale: boolean } {
  if (judgement.kind === "free" && NOBODYS.has(judgement.why)) return { lock: null, stale: false };
  const lock = judgement.record ?? null;
  if (lock === null || nowMs === undefined) return { lock, stale: judgement.kind === "free" };
  const remainingMs = remainingOf(lock, { hostname: "", boot_id: "", pid_namespace: "", now_ms: nowMs });
  return { lock, stale: remainingMs <= 0 || remainingMs > MAX_LEASE_S * 1000 };
}

const refreshSchema = z.object({ handle: handleSchema, lease_seconds: leaseSecondsSchema.optional() });

/** Codes: `LOCK_NOT_HELD` when the lease was taken away or given up, `LOCK_NOT_OWNED` when it is another's, `WRITE_FAILED`. */
export async function refreshRunLock(args: {
  handle: RunLockHandle;
  lease_seconds?: number;
}): Promise<{ ok: true; lock: LeaseRecord } | RunLockFailure> {
  return await returned(async () => {
    const { handle, lease_seconds } = parseArguments(refreshSchema, args);
    const lease = leaseOf(handle);
    const outcome = await lease.refresh(lease_seconds);
    if (outcome.kind === "refreshed") return { ok: true, lock: lease.record };
    return refused(outcome.kind === "lost" ? outcome.code : "WRITE_FAILED", outcome.reason, aboutHandle(handle));
  });
}

/** Codes: as for a refresh; a lease that is not ours any more is left as it is. */
export async function releaseRunLock(handle: RunLockHandle): Promise<{ ok: true } | RunLockFailure> {
  return await returned(async () => {
    const lease = leaseOf(parseArguments(handleSchema, handle));
    makeLeases().lent.end(handle.run_root, lease);
    const outcome = await lease.release();
    if (outcome.kind === "refreshed") return { ok: true };
    return refused(outcome.kind === "lost" ? outcome.code : "WRITE_FAILED", outcome.reason, aboutHandle(handle));
  });
}

// --- heartbeat ----------------------------------------------------------------------------------------------------

export interface HeartbeatInfo {
  code: string;
  message: string;
  details: Record<string, unknown>;
}

const heartbeatSchema = z.object({
  handle: handleSchema,
  interval_ms: z
    .number()
    .int()
    .min(10)
    .max(MAX_LEASE_S * 1000)
    .optional(),
  lease_seconds: leaseSecondsSchema.optional(),
  max_consecutive_failures: z.number().int().min(1).max(1000).optional(),
});

/**
 * Refreshes on a timer that keeps no process alive. When that failed `max_consecutive_failures` times in a row (2), when
 * most of the lease has passed without it, or when another process took over, `on_failure` is called once and the timer
 * stops. Arguments that do not fit are such a failure at once.
 */
export function startRunLockHeartbeat(args: {
  handle: RunLockHandle;
  interval_ms?: number;
  lease_seconds?: number;
  max_consecutive_failures?: number;
  on_failure?: (info: HeartbeatInfo) => void | Promise<void>;
}): { stop(): void } {
  const onFailure = (info: HeartbeatInfo): void => void tell(args?.on_failure, info);
  try {
    const { handle, interval_ms, lease_seconds, max_consecutive_failures } = parseArguments(heartbeatSchema, args);
    const lease = leaseOf(handle);
    const leaseMs = (lease_seconds ?? lease.record.lease_seconds) * 1000;
    return startHeartbeat(makeLeases().clock, {
      intervalMs: interval_ms ?? Math.min(DEFAULT_INTERVAL_MS, leaseMs / REFRESHES_PER_LEASE),
      maxConsecutiveFailures: max_consecutive_failures ?? DEFAULT_MAX_FAILURES,
      leaseSeconds: () => lease.record.lease_seconds,
      refresh: () => lease.refresh(lease_seconds),
      onFailure({ code, message, consecutive_failures }) {
        const { epoch } = lease.record;
        onFailure({ code, message, details: { ...aboutHandle(handle), consecutive_failures, epoch } });
      },
    });
  } catch (error) {
    onFailure(failureOf(error));
    return { stop: () => undefined };
  }
}

/** A callback that throws is said on stderr and ends nothing. */
async function tell(callback: unknown, info: HeartbeatInfo): Promise<void> {
  try {
    if (typeof callback === "function") await callback(info);
  } catch (error) {
    console.error(
      `run lock heartbeat: on_failure failed for ${info.code}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

// --- shapes -------------------------------------------------------------------------------------------------------

function leaseOf(handle: RunLockHandle): HeldLease {
  return held.get(handle) as HeldLease;
}

function aboutHandle(handle: RunLockHandle): Record<string, unknown> {
  return { run_root: handle.run_root, lock_path: handle.lock_path, owner_id: leaseOf(handle).record.owner_id };
}

function refused(code: ErrorCode, message: string, details: Record<string, unknown>): RunLockFailure {
  return { ok: false, code, message, details };
}

async function returned<T>(work: () => Promise<T | RunLockFailure>): Promise<T | RunLockFailure> {
  try {
    return await work();
  } catch (error) {
    const { code, message, details } = failureOf(error);
    return refused(code, message, details);
  }
}
