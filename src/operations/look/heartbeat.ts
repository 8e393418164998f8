// Judges whether the owner of a run has missed a heartbeat.
import type { LeaseView } from "../../ports/run-log.ts";
import type { Manifest } from "../../run/log/manifest.ts";

/** An owner at work misses no heartbeat. When two are due, something is wrong. */
const OVERDUE_HEARTBEATS = 2;

export function isHeartbeatOverdue(
  { settings }: Pick<Manifest, "settings">,
  { held }: LeaseView,
  nowMs: number,
): boolean {
  if (held === null) return false;
  const ageMs = nowMs - Date.parse(held.record.refreshed_at);
  return ageMs > OVERDUE_HEARTBEATS * settings.lease.heartbeat_seconds * 1000;
}
