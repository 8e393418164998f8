// Who works on a run, and when its process last gave a sign of life.
import type { LeaseSummary } from "../../operations/status.ts";
import { duration } from "../terminal/text.ts";

/** Null where nobody holds the lease. */
export function ownerText({ held_by }: LeaseSummary): string | null {
  if (held_by === null) return null;
  const { pid, hostname, heartbeat_age_s } = held_by;
  return `process ${pid} on ${hostname ?? "an unknown host"}, last heartbeat ${duration(heartbeat_age_s * 1000)} ago`;
}
