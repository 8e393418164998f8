// The record of a lease: how it is made for a new claim, and its bytes, which all have one length.
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { shortened } from "../../kernel/shortened.ts";
import { timestamp } from "../../ports/clock.ts";
import type { AcquireOptions } from "../../ports/run-log.ts";
import type { LeaseRecord } from "../../run/log/lock-record.ts";
import { isCondemned, type Viewpoint } from "./lease-rules.ts";
import type { Machine } from "../disk/machine.ts";

/** Records are written in place, so all have one length. */
export const RECORD_BYTES = 2048;
/** The reason in the record of a lease that is held for a report. */
export const REPORT_REASON = "report generate";

/** Even at six bytes each, less than half of the record. */
export const MAX_REASON_CHARACTERS = 160;

/** A claim that cannot be read was torn while it was written, and it may have been this note that was written. */
export function inheritedBadSync(
  before: LeaseRecord | "unreadable" | null,
  here: Viewpoint,
): Pick<LeaseRecord, "bad_sync"> {
  if (before === "unreadable") return { bad_sync: { boot_id: here.boot_id, noted_at: timestamp(here.now_ms) } };
  if (before === null || before.bad_sync === undefined || !isCondemned(before, here.boot_id)) return {};
  return { bad_sync: before.bad_sync };
}

export interface ClaimOptions {
  lease_seconds: number;
  reason?: string;
  /** Take the lease even from a live owner. */
  force?: boolean;
  /** The claim gets a higher epoch than this. */
  aboveEpoch?: number;
}

const DEFAULT_LEASE_S = 120;

/** How an owner claims a run. */
export function claimOptions({
  lease_seconds = DEFAULT_LEASE_S,
  purpose,
  reason,
}: Pick<AcquireOptions, "lease_seconds" | "purpose" | "reason">): ClaimOptions {
  return { lease_seconds, ...given({ reason: purpose === "report" ? REPORT_REASON : reason }) };
}

export function newRecord(
  { processes }: Machine,
  here: Viewpoint,
  epoch: number,
  options: ClaimOptions,
): Omit<LeaseRecord, "owner_id"> {
  const { pid, process_started } = processes.self();
  return {
    schema_version: "lock.v1",
    pid,
    process_started,
    pid_namespace: here.pid_namespace,
    hostname: here.hostname,
    boot_id: here.boot_id,
    created_at: timestamp(here.now_ms),
    lease_seconds: options.lease_seconds,
    refreshed_at: timestamp(here.now_ms),
    refreshed_uptime_ms: here.uptime_ms ?? 0,
    epoch,
    // The journal keeps the whole reason. Here it has to fit into the record.
    ...(options.reason === undefined ? {} : { reason: shortened(options.reason, MAX_REASON_CHARACTERS) }),
  };
}

export function encodeRecord(record: LeaseRecord): Uint8Array {
  const text = JSON.stringify(record);
  const bytes = new TextEncoder().encode(
    `${text.padEnd(RECORD_BYTES - 1 - (Buffer.byteLength(text) - text.length), " ")}\n`,
  );
  if (bytes.byteLength !== RECORD_BYTES)
    throw new RunError("INVALID_ARGS", { reason: "the lease record is too long", bytes: bytes.byteLength });
  return bytes;
}
