// Judges whether the owner of a run has missed a heartbeat.
import type { RunLook } from "../../ports/run-log.ts";

/** An owner at work misses no heartbeat. When two are due, something is wrong. */
const OVERDUE_HEARTBEATS = 2;

export function isHeartbeatOverdue({ manifest, lease: { held }, now_ms }: RunLook): boolean {
  if (held === null) return false;
  const ageMs = now_ms - Date.parse(held.record.refreshed_at);
  return ageMs > OVERDUE_HEARTBEATS * manifest.settings.lease.heartbeat_seconds * 1000;
}
