// A lease as this process sees it: from where it judges, and what a judgement means to whoever looks or takes over.
import type { Clock } from "../ports/clock.ts";
import type { Processes } from "../ports/processes.ts";
import type { LeaseView, LostLease } from "../ports/run-log.ts";
import { judgeLease, type LeaseJudgement, type LeaseRecord, type Takeover, type Viewpoint } from "../run/lease.ts";

export interface Onlooker {
  clock: Clock;
  processes: Processes;
}

export function viewpoint({ clock, processes }: Onlooker): Viewpoint {
  const { hostname, boot_id, pid_namespace } = processes.self();
  return { hostname, boot_id, pid_namespace, now_ms: clock.nowMs(), uptime_ms: clock.uptimeMs() };
}

/** The same for a look, which needs the uptime only where a lease is still held. */
export function lookingFrom({ clock, processes }: Onlooker): Viewpoint {
  const { hostname, boot_id, pid_namespace } = processes.self();
  return {
    hostname,
    boot_id,
    pid_namespace,
    now_ms: clock.nowMs(),
    get uptime_ms() {
      return clock.uptimeMs();
    },
  };
}

/** Judges a record as it was found; the process table speaks only for its own host. */
export function judgeRecord(
  { processes }: Pick<Onlooker, "processes">,
  record: LeaseRecord | "unreadable" | null,
  here: Viewpoint,
): LeaseJudgement {
  if (record === null) return { kind: "free", why: "none" };
  if (record === "unreadable") return { kind: "free", why: "unreadable" };
  const asksForProcess = record.released_at === undefined && record.hostname === here.hostname;
  return judgeLease(record, here, asksForProcess ? processes.facts(record.pid) : { kind: "unknown" });
}

export function viewOf(judgement: LeaseJudgement): LeaseView {
  if (judgement.kind === "held") {
    return { held: { record: judgement.record, expires_at_ms: judgement.expires_at_ms }, stale: null };
  }
  const why = tookOverFrom(judgement);
  if (why === undefined) return { held: null, stale: null };
  const { record } = judgement;
  return { held: null, stale: record === undefined ? { why } : { why, record } };
}

/** Why the lease before was taken from its owner; undefined where nobody had it, or where nothing is left to tell. */
export function tookOverFrom(judgement: LeaseJudgement): Takeover | undefined {
  if (judgement.kind === "held") return "forced";
  const { why, took_over } = judgement;
  return why === "none" || why === "released" ? took_over : why;
}

/** How a lease ends for its owner, wherever it is kept. */
export const GIVEN_UP: LostLease = {
  kind: "lost",
  code: "LOCK_NOT_HELD",
  reason: "the lease was given up",
  superseded: false,
};
export const SUPERSEDED: LostLease = {
  kind: "lost",
  code: "LOCK_NOT_OWNED",
  reason: "another process claimed a higher epoch",
  superseded: true,
};
