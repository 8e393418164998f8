// Takes a run in rows, or makes one and owns it: claims the lease, opens the run, writes the first record.
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import type { Held } from "../../ports/lease.ts";
import type { AcquireOptions, LaterContent, NewContent } from "../../ports/run-log.ts";
import { JOURNAL_FILE } from "../../run/log/layout.ts";
import { isLeftAtWork } from "../../run/log/lifecycle.ts";
import type { RecordDraft } from "../../run/log/record.ts";
import { openRun } from "../journal/run-reader.ts";
import { heldBy } from "../lease/lease-reading.ts";
import { claimOptions } from "../lease/lease-record.ts";
import { isFoldOf } from "../owner/fold-trust.ts";
import { openingOf } from "../owner/owner-opening.ts";
import { make, type StoreHere } from "./row-creation.ts";
import { RowFolder } from "./row-folder.ts";
import { RowJournal } from "./row-journal.ts";
import { claim, RowLease } from "./row-lease.ts";
import { RowRunWriter } from "./row-writer.ts";
import { readRow, type RunRow } from "./run-row.ts";

type Taken = { kind: "acquired"; writer: RowRunWriter };

export async function acquire(here: StoreHere, runRoot: string, options: AcquireOptions): Promise<Taken | Held> {
  const claimed = await claim(here, runRoot, { ...claimOptions(options), force: options.force ?? false });
  if (claimed.kind === "held") return heldBy(claimed);
  if (claimed.kind === "overtaken") throw new RunError("LOCK_HELD", { run_root: runRoot });
  return { kind: "acquired", writer: await own(here, claimed.row, claimed.lease, options, "claimed") };
}

export async function createOwned(
  here: StoreHere,
  runRoot: string,
  drafts: readonly RecordDraft[],
  options: AcquireOptions,
  contents: readonly (NewContent | LaterContent)[],
): Promise<Taken | { kind: "exists" }> {
  const made = await make(here, runRoot, { drafts, contents, lease: claimOptions(options) });
  if (made === null || made.lease === null) return { kind: "exists" };
  const row = await readRow(here.database, runRoot);
  const lease = new RowLease(here, row, made.lease, undefined);
  for (const { record } of made.records) options.onCommit?.(record);
  return { kind: "acquired", writer: await own(here, row, lease, options, "made") };
}

/** Opens the run under a lease. Errors: `INTEGRITY_ERROR`, after which the lease is free. */
async function own(
  here: StoreHere,
  row: RunRow,
  lease: RowLease,
  options: AcquireOptions,
  origin: "claimed" | "made",
): Promise<RowRunWriter> {
  const { database, contents, clock } = here;
  try {
    const { seen, isQuiet = false, onCommit, reason } = options;
    const folder = new RowFolder({ statements: database, contents, row });
    const { manifest, foldedRevision, end, head } = await openRun(folder, row.runRoot, {
      trusts: isFoldOf,
      ...given({ seen }),
    });
    requireHead(row, { end, seq: head.seq, digest: head.digest });
    const tookOver = origin === "made" ? undefined : lease.tookOver;
    if (!isLeftAtWork(manifest, tookOver)) lease.forgetTakeover();
    const writer = new RowRunWriter({
      database,
      contents,
      clock,
      row,
      lease,
      journal: new RowJournal(database, row.id, lease, { end: row.end, head }),
      manifest,
      foldedRevision,
      onCommit,
      opening: openingOf(tookOver, reason),
    });
    if (!isQuiet) await writer.commit([]);
    return writer;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** A commit is a compare-and-set on the head, so the head has to be that of the records. */
function requireHead(row: RunRow, found: { end: number; seq: number; digest: string | null }): void {
  // Behind the last record there may be what a killed owner left of one.
  const isEnd = row.end === found.end || (row.hasDebris && row.end > found.end);
  if (row.seq === found.seq && row.digest === found.digest && isEnd) return;
  throw new RunError("INTEGRITY_ERROR", {
    reason: "the head of the journal does not fit its records",
    run_root: row.runRoot,
    files: [
      {
        path: JOURNAL_FILE,
        expected: `record ${row.seq} = ${row.digest}`,
        found: `record ${found.seq} = ${found.digest}`,
      },
    ],
  });
}
