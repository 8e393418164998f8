// Takes a run: claim, remake or repair what has to be, open, and write the first record of the new owner.
import { RunError } from "../kernel/errors.ts";
import type { Files } from "../ports/files.ts";
import type { HeldLease, LeaseStore } from "../ports/lease-store.ts";
import type { AcquireOptions, Acquisition } from "../ports/run-store.ts";
import { JOURNAL_FILE, scanJournal } from "../run/journal.ts";
import { isCondemned } from "../run/lease.ts";
import { manifestSchema, refuseNewer, type Manifest } from "../run/manifest.ts";
import type { RecordDraft } from "../run/record.ts";
import { removeQuietly } from "./durable-write.ts";
import { JournalCondemned, JournalFile, leaveCondemned } from "./journal-file.ts";
import { remakeJournal } from "./journal-remake.ts";
import { viewpoint } from "./lease-view.ts";
import type { FileStoreDependencies } from "./run-creation.ts";
import { readRecords } from "./run-files.ts";
import { findJournal, knownRecords, openRun, quarantinedJournal, type OpenedRun, readJournal } from "./run-reader.ts";
import { FileRunWriter } from "./run-writer.ts";

const DEFAULT_LEASE_S = 120;
const MAX_ROUNDS = 20;

export async function acquire(
  dependencies: FileStoreDependencies,
  leases: LeaseStore,
  runRoot: string,
  options: AcquireOptions,
): Promise<Acquisition> {
  const { files, clock } = dependencies;
  const { boot_id } = viewpoint(dependencies);
  for (let aboveEpoch = 0, round = 1; ; round++) {
    // A folder without a run gets no lease files.
    await findJournal(files, runRoot);
    const borrowed = (await dependencies.lent?.borrow(runRoot)) ?? null;
    const outcome =
      borrowed === null
        ? await leases.claim(runRoot, {
            lease_seconds: options.lease_seconds ?? DEFAULT_LEASE_S,
            aboveEpoch,
            force: options.force ?? false,
            ...(options.reason === undefined ? {} : { reason: options.reason }),
          })
        : { kind: "claimed" as const, lease: borrowed };
    if (outcome.kind === "held") return outcome;
    const { lease } = outcome;
    let journal: JournalFile | null = null;
    try {
      const isCondemnedFile = isCondemned(lease.record, boot_id);
      const { opened, remade } = await openForOwner(
        files,
        runRoot,
        lease.record.epoch,
        isCondemnedFile,
        options.forRepair ?? false,
      );
      if (isCondemnedFile) await lease.noteBadSync(false);
      // Under a lease that was lent, an earlier writer has said whose it is.
      const hasBegun = borrowed !== null && opened.manifest.epoch === lease.record.epoch;
      if (opened.manifest.epoch >= lease.record.epoch && !hasBegun) {
        if (borrowed !== null)
          throw new RunError("LOCK_LOST", {
            reason: "the journal knows a later owner than the lock that is held",
            run_root: runRoot,
            epoch: lease.record.epoch,
            their_epoch: opened.manifest.epoch,
          });
        // The claims were removed by hand; the journal remembers a higher epoch.
        aboveEpoch = opened.manifest.epoch;
        await lease.release();
        continue;
      }
      journal = await JournalFile.open(files, runRoot, opened.journalPath, opened);
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
        opening: hasBegun ? null : leaseTaken(lease, options.reason),
      });
      if (options.isQuiet !== true) await writer.commit([]);
      if (lease.tookOver === undefined || lease.tookOver === "owner_dead")
        await sweepTemporaries(files, runRoot, lease.record.epoch);
      return { kind: "acquired", writer };
    } catch (error) {
      await journal?.close();
      if (error instanceof JournalCondemned) await leaveCondemned(lease);
      else await lease.release();
      // A late owner's record came first. It has lost its lease, so this does not go on for long.
      if (error instanceof RunError && error.code === "REVISION_MISMATCH" && round < MAX_ROUNDS) continue;
      throw error;
    }
  }
}

/** Opens the run under the lease, with a journal that can be written: one that is condemned or gone is made anew. */
async function openForOwner(
  files: Files,
  runRoot: string,
  epoch: number,
  isCondemnedFile: boolean,
  forRepair: boolean,
): Promise<{ opened: OpenedRun; remade?: { quarantined: string[]; dropped_records: number } }> {
  try {
    if (isCondemnedFile || (await files.facts(`${runRoot}/${JOURNAL_FILE}`)) === null)
      await remakeJournal(files, runRoot, epoch, false);
    const opened = await openRun(files, runRoot, { trusts: isManifest });
    // Opening reads the tail; a repair looks for damage before it as well.
    if (forRepair) await readRecords(files, runRoot);
    return { opened };
  } catch (error) {
    if (!forRepair || !(error instanceof RunError) || error.code !== "INTEGRITY_ERROR") throw error;
    const bytes = await readJournal(files, await findJournal(files, runRoot));
    const found = scanJournal(bytes ?? new Uint8Array());
    if (found.newer !== null) throw refuseNewer(found.newer, JOURNAL_FILE);
    if (found.head.seq === 0 && (await quarantinedJournal(files, runRoot)) === null) throw error;
    const known = await knownRecords(files, runRoot);
    const { quarantined, scan } = await remakeJournal(files, runRoot, epoch, true);
    const dropped_records = Math.max(0, Math.max(countLines(bytes) - scan.lost.length, known) - scan.head.seq);
    return { opened: await openRun(files, runRoot, { trusts: isManifest }), remade: { quarantined, dropped_records } };
  }
}

/** A look trusts a fold that is sealed; whoever goes on from it walks it by its schema, and else folds the journal anew. */
function isManifest(fold: Manifest): boolean {
  return manifestSchema.safeParse(fold).success;
}

/** The first record of every owner: until it counts, the owner has done nothing. */
function leaseTaken({ record, tookOver }: HeldLease, reason?: string): RecordDraft {
  return {
    kind: "lease.taken",
    data: {
      owner_id: record.owner_id,
      pid: record.pid,
      hostname: record.hostname ?? "",
      ...(reason === undefined ? {} : { reason }),
      ...(tookOver === undefined ? {} : { took_over: tookOver }),
    },
  };
}

/** What owners before this one were writing when they ended; the names are those of `FileRunWriter`. */
const OWNED_TEMPORARY = /^\.tmp-([1-9][0-9]{0,14})-(?:[1-9][0-9]{0,14}|journal)$/;

/**
 * Takes away what owners of lower epochs left half-written, when the last one is surely done: one that only slept past
 * its lease is still writing. So may others be: who hands in a request or claims the lease holds no epoch.
 */
async function sweepTemporaries(files: Files, runRoot: string, epoch: number): Promise<void> {
  for (const name of await files.list(runRoot)) {
    const [, owner] = OWNED_TEMPORARY.exec(name) ?? [];
    if (owner === undefined || Number(owner) >= epoch) continue;
    const path = `${runRoot}/${name}`;
    if ((await files.facts(path))?.kind === "file") await removeQuietly(files, path);
  }
}

/** Lines that were written as records, whether or not they still count. */
function countLines(bytes: Uint8Array | null): number {
  if (bytes === null) return 0;
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(" ")).length;
}
