// The lease as it lies in a folder: its claims, its copy, and which of them is in force.
import { RunError } from "../kernel/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Processes } from "../ports/processes.ts";
import type { Random } from "../ports/random.ts";
import { readLeaseRecord, type LeaseJudgement, type LeaseRecord, type Viewpoint } from "../run/lease.ts";
import { LOCK_FILE } from "../run/layout.ts";
import { isOddFile, readWhole } from "./durable-write.ts";
import { judgeRecord, lookingFrom } from "./lease-view.ts";
import type { Disk } from "./local-disk.ts";

export interface LeaseDependencies extends Disk {
  files: Files;
  clock: Clock;
  random: Random;
  processes: Processes;
}

const CLAIM_NAME = /^\.lock\.([1-9][0-9]{0,14})$/;

/** What lies in the folder. `null` for a file that is not there, `"unreadable"` for one that is no lease record. */
export interface LeaseReading {
  names: readonly string[];
  claims: number[];
  claim: LeaseRecord | "unreadable" | null;
  published: LeaseRecord | "unreadable" | null;
}

export async function readLeases({ files, clock }: LeaseDependencies, folder: string): Promise<LeaseReading> {
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
 * Judges the lease for somebody who only looks. `names` are the files of the folder. Where `.lock` names the newest
 * claim it is that very file, and is read once.
 */
export async function judgeForLook(
  dependencies: LeaseDependencies,
  folder: string,
  names: readonly string[],
): Promise<LeaseJudgement> {
  const { files, clock } = dependencies;
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
  return judgeInForce(dependencies, { names, claims, claim, published }, lookingFrom(dependencies));
}

export function claimsIn(names: readonly string[]): number[] {
  return names
    .flatMap((name) => CLAIM_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** An owner writes its record in place, so a look may meet half of it: look again before calling it unreadable. */
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
 * The lease in force. A claim decides; a `.lock` that names another lease which is held counts as well, so that a
 * record put there by another tool is respected. A published claim without `.lock` was taken away by a person.
 */
export function judgeInForce(
  onlooker: Pick<LeaseDependencies, "processes">,
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
