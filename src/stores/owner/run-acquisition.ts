// Takes a run, or makes one and owns it: claims the lease, repairs the journal if needed, opens the run, writes the first record.
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import type { FileHandle, Files } from "../../ports/files.ts";
import type { Held } from "../../ports/lease.ts";
import type { AcquireOptions, LaterContent, NewContent } from "../../ports/run-log.ts";
import { JOURNAL_FILE } from "../../run/log/layout.ts";
import { scanJournal } from "../../run/log/journal.ts";
import { refuseNewer } from "../../run/log/manifest-text.ts";
import { isLeftAtWork } from "../../run/log/lifecycle.ts";
import type { RecordDraft } from "../../run/log/record.ts";
import { removeQuietly } from "../disk/durable-write.ts";
import { isFoldOf } from "./fold-trust.ts";
import { JournalCondemned, JournalFile, leaveCondemned } from "../journal/journal-file.ts";
import { remakeJournal } from "../journal/journal-remake.ts";
import { claim, type HeldLease } from "../lease/lease-claim.ts";
import { heldBy, viewpoint } from "../lease/lease-reading.ts";
import { claimOptions } from "../lease/lease-record.ts";
import { isCondemned } from "../lease/lease-rules.ts";
import { openingOf } from "./owner-opening.ts";
import { hasRun, linkJournal, prepareFolder } from "./run-creation.ts";
import { openRun, type OpenedRun, type OpenOptions } from "../journal/run-reader.ts";
import {
  findJournal,
  knownRecords,
  openJournal,
  quarantinedJournal,
  readJournal,
  type OpenJournal,
} from "../journal/stored-journal.ts";
import { FileRunWriter } from "./run-writer.ts";
import type { Machine } from "../disk/machine.ts";
import type { LentLeases } from "../lease/lent-leases.ts";

const MAX_ROUNDS = 20;

interface TakeOptions extends AcquireOptions {
  /** Continue although the journal is damaged. */
  forRepair?: boolean;
}

type Taken = { kind: "acquired"; writer: FileRunWriter };

export async function acquire(
  machine: Machine,
  runRoot: string,
  options: TakeOptions,
  lent?: LentLeases,
): Promise<Taken | Held> {
  for (let aboveEpoch = 0, round = 1; ; round++) {
    // A folder without a run gets no lease files.
    await findJournal(machine.files, runRoot);
    const borrowed = (await lent?.borrow(runRoot)) ?? null;
    const isForced = options.force ?? false;
    const outcome =
      borrowed === null
        ? await claim(machine, runRoot, { ...claimOptions(options), aboveEpoch, force: isForced })
        : { kind: "claimed" as const, lease: borrowed };
    if (outcome.kind === "held") return heldBy(outcome);
    try {
      const origin = borrowed === null ? "claimed" : "borrowed";
      const owned = await own(machine, runRoot, outcome.lease, options, origin);
      if (owned.kind === "acquired") return owned;
      aboveEpoch = owned.epoch;
    } catch (error) {
      // A late owner's record came first. That owner has lost its lease, so trying again helps soon.
      if (!(error instanceof RunError) || error.code !== "REVISION_MISMATCH" || round >= MAX_ROUNDS) throw error;
    }
  }
}

/**
 * Makes a run and owns it from its first record on. The lease is claimed before the journal exists, so that it shows the
 * interruption if the maker dies. A lease without a journal is no run, and hinders no later maker.
 */
export async function createOwned(
  machine: Machine,
  runRoot: string,
  drafts: readonly RecordDraft[],
  options: AcquireOptions,
  contents: readonly (NewContent | LaterContent)[],
): Promise<Taken | Held | { kind: "exists" }> {
  if ((await prepareFolder(machine, runRoot, drafts)) === "exists") return { kind: "exists" };
  const outcome = await claim(machine, runRoot, claimOptions(options));
  if (outcome.kind === "held") return (await hasRun(machine.files, runRoot)) ? { kind: "exists" } : heldBy(outcome);
  const { lease } = outcome;
  let created;
  try {
    created = await linkJournal(machine, runRoot, drafts, contents);
  } catch (error) {
    await lease.release();
    throw error;
  }
  if (created === "exists") {
    await lease.release();
    return { kind: "exists" };
  }
  // An earlier lease of this folder says nothing about this run, which did not exist then.
  try {
    const owned = await own(machine, runRoot, lease, options, "made");
    return owned.kind === "acquired" ? owned : { kind: "exists" };
  } catch (error) {
    // This process slept past its lease, and another one already works on the run.
    if (error instanceof RunError && error.code === "REVISION_MISMATCH") return { kind: "exists" };
    throw error;
  }
}

/** Opens the run under a lease. `behind`: the journal holds a higher epoch than the lease. */
async function own(
  machine: Machine,
  runRoot: string,
  lease: HeldLease,
  options: TakeOptions,
  origin: "claimed" | "borrowed" | "made",
): Promise<Taken | { kind: "behind"; epoch: number }> {
  const { files, clock } = machine;
  let handle: FileHandle | null = null;
  let journal: JournalFile | null = null;
  try {
    const isCondemnedFile = isCondemned(lease.record, viewpoint(machine).boot_id);
    const { opened, found, remade } = await openForOwner(files, runRoot, lease.record.epoch, isCondemnedFile, options);
    handle = found.handle;
    if (isCondemnedFile) await lease.noteBadSync(false);
    // An earlier writer under the same lent lease has written the opening.
    const hasBegun = origin === "borrowed" && opened.manifest.epoch === lease.record.epoch;
    if (opened.manifest.epoch >= lease.record.epoch && !hasBegun) {
      if (origin === "borrowed")
        throw new RunError("LOCK_LOST", {
          reason: "the journal has a later owner than the lock that is held",
          run_root: runRoot,
          epoch: lease.record.epoch,
          their_epoch: opened.manifest.epoch,
        });
      // A person removed the claims, and the journal remembers a higher epoch.
      await handle.close();
      await lease.release();
      return { kind: "behind", epoch: opened.manifest.epoch };
    }
    journal = await JournalFile.open(files, runRoot, found, opened);
    const before = lease.tookOver;
    // A run that was made under this lease had no owner before.
    const tookOver = origin === "made" ? undefined : before;
    if (!isLeftAtWork(opened.manifest, tookOver)) lease.forgetTakeover();
    const writer = new FileRunWriter({
      files,
      clock,
      runRoot,
      lease,
      journal,
      manifest: opened.manifest,
      foldedRevision: opened.foldedRevision,
      onCommit: options.onCommit,
      remade,
      opening: hasBegun ? null : openingOf(tookOver, options.reason),
    });
    if (origin === "made") for (const { record } of await journal.records()) options.onCommit?.(record);
    if (options.isQuiet !== true) await writer.commit([]);
    if (before === undefined || before === "owner_dead") await sweepTemporaries(files, runRoot, lease.record.epoch);
    return { kind: "acquired", writer };
  } catch (error) {
    await (journal ?? handle)?.close();
    if (error instanceof JournalCondemned) await leaveCondemned(lease);
    else await lease.release();
    throw error;
  }
}

/** Opens the run for writing. A journal that is condemned or gone is made anew first. */
async function openForOwner(
  files: Files,
  runRoot: string,
  epoch: number,
  isCondemnedFile: boolean,
  { forRepair = false, seen }: TakeOptions,
): Promise<{ opened: OpenedRun; found: OpenJournal; remade?: { quarantined: string[]; dropped_records: number } }> {
  try {
    if (isCondemnedFile || (await files.facts(`${runRoot}/${JOURNAL_FILE}`)) === null)
      await remakeJournal(files, runRoot, epoch, false);
    // A repair trusts no fold, and looks for damage before the tail as well.
    return await openToAppend(files, runRoot, { foldsAnew: forRepair, ...given({ seen }) });
  } catch (error) {
    if (!forRepair || !(error instanceof RunError) || error.code !== "INTEGRITY_ERROR") throw error;
    const bytes = await readJournal(files, await findJournal(files, runRoot));
    const left = scanJournal(bytes ?? new Uint8Array());
    if (left.newer !== null) throw refuseNewer(left.newer, JOURNAL_FILE);
    if (left.head.seq === 0 && (await quarantinedJournal(files, runRoot)) === null) throw error;
    const known = await knownRecords(files, runRoot);
    const { quarantined, scan } = await remakeJournal(files, runRoot, epoch, true);
    const dropped_records = Math.max(0, Math.max(countLines(bytes) - scan.lost.length, known) - scan.head.seq);
    return { ...(await openToAppend(files, runRoot, { foldsAnew: true })), remade: { quarantined, dropped_records } };
  }
}

async function openToAppend(
  files: Files,
  runRoot: string,
  options: Pick<OpenOptions, "foldsAnew" | "seen">,
): Promise<{ opened: OpenedRun; found: OpenJournal }> {
  const found = await openJournal(files, runRoot, "append");
  try {
    const opened = await openRun(files, runRoot, { trusts: isFoldOf, journal: found, ...options });
    return { opened, found };
  } catch (error) {
    await found.handle.close();
    throw error;
  }
}

/** The names that `OwnedFolder` gives to temporary files. */
const OWNED_TEMPORARY = /^\.tmp-([1-9][0-9]{0,14})-(?:[1-9][0-9]{0,14}|journal)$/;

/**
 * Removes what owners of lower epochs left half-written. To be called only when the last owner is surely done: one that slept
 * past its lease may still be writing. Files of writers without an epoch are swept where the lease is claimed.
 */
async function sweepTemporaries(files: Files, runRoot: string, epoch: number): Promise<void> {
  for (const name of await files.list(runRoot)) {
    const [, owner] = OWNED_TEMPORARY.exec(name) ?? [];
    if (owner === undefined || Number(owner) >= epoch) continue;
    const path = `${runRoot}/${name}`;
    if ((await files.facts(path))?.kind === "file") await removeQuietly(files, path);
  }
}

/** Counts the lines that were written as records, whether or not they count. Debris is left out as in `scanJournal`. */
function countLines(bytes: Uint8Array | null): number {
  const lines = new TextDecoder().decode(bytes ?? new Uint8Array()).split("\n");
  // Behind the last line feed stands nothing, or a line that was cut off.
  return lines.slice(0, -1).filter((line) => line !== "" && !line.endsWith(" ") && !line.includes("\0")).length;
}
