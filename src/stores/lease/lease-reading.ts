// Reads the claims and the copy of a lease in a folder, and judges which of them is in force.
import { RunError } from "../../kernel/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Files } from "../../ports/files.ts";
import type { Held, Lease, LeaseView, LostLease } from "../../ports/lease.ts";
import { LOCK_FILE } from "../../run/log/layout.ts";
import { readLeaseRecord, type LeaseRecord, type Takeover } from "../../run/log/lock-record.ts";
import { isOddFile, readWhole } from "../disk/durable-write.ts";
import type { Machine } from "../disk/machine.ts";
import { REPORT_REASON } from "./lease-record.ts";
import { judgeLease, type HeldRecord, type LeaseJudgement, type Viewpoint } from "./lease-rules.ts";

/** What it takes to judge leases. */
type Onlooker = Pick<Machine, "clock" | "processes">;

const CLAIM_NAME = /^\.lock\.([1-9][0-9]{0,14})$/;

/** The lease files of a folder. `null` for a file that is not there, `"unreadable"` for one that is no lease record. */
export interface LeaseReading {
  names: readonly string[];
  claims: number[];
  claim: LeaseRecord | "unreadable" | null;
  published: LeaseRecord | "unreadable" | null;
}

export async function readLeases({ files, clock }: Machine, folder: string): Promise<LeaseReading> {
  const names = await files.list(folder);
  const claims = claimsIn(names);
  const newest = claims.at(-1);
  return {
    names,
    claims,
    claim: newest === undefined ? null : await readRecord(files, clock, `${folder}/${LOCK_FILE}.${newest}`),
    published: await readRecord(files, clock, `${folder}/${LOCK_FILE}`),
  };
}

/**
 * Judges the lease for `look`. `names` are the files of the folder. When `.lock` names the newest claim, both are one file,
 * which is read once.
 */
export async function judgeForLook(
  machine: Machine,
  folder: string,
  names: readonly string[],
): Promise<LeaseJudgement> {
  const { files, clock } = machine;
  const claims = claimsIn(names);
  const newest = claims.at(-1);
  if (newest === undefined && !names.includes(LOCK_FILE)) return { kind: "free", why: "none" };
  const published = await readRecord(files, clock, `${folder}/${LOCK_FILE}`);
  const isCopy = published !== null && published !== "unreadable" && published.epoch === newest;
  const claim =
    newest === undefined
      ? null
      : isCopy
        ? published
        : await readRecord(files, clock, `${folder}/${LOCK_FILE}.${newest}`);
  return judgeInForce(machine, { names, claims, claim, published }, lookingFrom(machine));
}

export function claimsIn(names: readonly string[]): number[] {
  return names
    .flatMap((name) => CLAIM_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** An owner writes its record in place, so a reader may meet half of it. It reads again before it calls it unreadable. */
export async function readRecord(files: Files, clock: Clock, path: string): Promise<LeaseRecord | "unreadable" | null> {
  for (let attempt = 1; ; attempt++) {
    const record = await readRecordOnce(files, path);
    if (record !== "unreadable" || attempt === 3) return record;
    await clock.sleep(2);
  }
}

async function readRecordOnce(files: Files, path: string): Promise<LeaseRecord | "unreadable" | null> {
  try {
    const bytes = await readWhole(files, path, 64 * 1024);
    if (bytes === null) return null;
    return readLeaseRecord(JSON.parse(new TextDecoder().decode(bytes))) ?? "unreadable";
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RunError) return "unreadable";
    if (isOddFile(error)) return "unreadable";
    throw error;
  }
}

/**
 * Judges the lease in force. The claim decides. A `.lock` that names another lease which is held counts as well, because
 * another tool may have put it there. A published claim without `.lock` was taken away by a person.
 */
export function judgeInForce(
  onlooker: Pick<Machine, "processes">,
  reading: LeaseReading,
  here: Viewpoint,
): LeaseJudgement {
  const judge = (record: LeaseRecord | "unreadable" | null): LeaseJudgement => judgeRecord(onlooker, record, here);
  const { claim, published } = reading;
  if (published === null) {
    const wasPublished = claim !== null && claim !== "unreadable" && claim.published === true;
    if (wasPublished && claim.released_at === undefined) return { kind: "free", why: "taken_away", record: claim };
    return judge(claim);
  }
  if (claim === null) return judge(published);
  const byClaim = judge(claim);
  if (byClaim.kind === "held" || published === "unreadable" || published === claim) return byClaim;
  const byCopy = judge(published);
  return byCopy.kind === "held" ? byCopy : byClaim;
}

// --- as this process sees it --------------------------------------------------------------------------------------

export function viewpoint({ clock, processes }: Onlooker): Viewpoint {
  return { ...processes.self(), now_ms: clock.nowMs(), uptime_ms: clock.uptimeMs() };
}

/** The same for `look`, which reads the uptime only if the lease is not free anyway. */
function lookingFrom({ clock, processes }: Onlooker): Viewpoint {
  return {
    ...processes.self(),
    now_ms: clock.nowMs(),
    get uptime_ms() {
      return clock.uptimeMs();
    },
  };
}

/** Judges a record. The process table is read only for processes of this host. */
function judgeRecord(
  { processes }: Pick<Onlooker, "processes">,
  record: LeaseRecord | "unreadable" | null,
  here: Viewpoint,
): LeaseJudgement {
  if (record === null) return { kind: "free", why: "none" };
  if (record === "unreadable") return { kind: "free", why: "unreadable" };
  const asksForProcess = record.released_at === undefined && record.hostname === here.hostname;
  return judgeLease(record, here, asksForProcess ? processes.facts(record.pid) : { kind: "unknown" });
}

// --- as the port shows it -----------------------------------------------------------------------------------------

export function viewOf(judgement: LeaseJudgement): LeaseView {
  if (judgement.kind === "held") return { held: leaseOf(judgement), stale: null };
  const why = tookOverFrom(judgement);
  if (why === undefined) return { held: null, stale: null };
  const { record } = judgement;
  return { held: null, stale: { why, ...(record === undefined ? {} : { description: record }) } };
}

export function heldBy(held: HeldRecord): Held {
  return { kind: "held", by: leaseOf(held) };
}

function leaseOf({ record, expires_at_ms }: HeldRecord): Lease {
  const { owner_id, epoch, reason, lease_seconds, refreshed_at, created_at = refreshed_at } = record;
  const refreshed_at_ms = timeOf(refreshed_at, expires_at_ms - lease_seconds * 1000);
  return {
    owner_id,
    epoch,
    expires_at_ms,
    refreshed_at_ms,
    claimed_at_ms: timeOf(created_at, refreshed_at_ms),
    purpose: reason === REPORT_REASON ? "report" : "work",
    description: record,
  };
}

/** Another tool may write a date that does not exist. */
function timeOf(text: string, otherwiseMs: number): number {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? otherwiseMs : ms;
}

/** Why the lease was taken from the owner before; undefined when it was free, or when a record says it already. */
export function tookOverFrom(judgement: LeaseJudgement): Takeover | undefined {
  if (judgement.kind === "held") return "forced";
  const { why, took_over } = judgement;
  return why === "none" || why === "released" ? took_over : why;
}

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
