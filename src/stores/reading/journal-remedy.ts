// Deals with a journal whose fsync failed: the failure is noted, and the next one who needs the run makes the journal anew.
import { errnoOf, RunError } from "../../kernel/errors.ts";
import { MIN_LEASE_S } from "../../run/lease.ts";
import { JournalCondemned } from "../journal/journal-file.ts";
import { claim } from "../lease/lease-claim.ts";
import { acquire } from "../owner/run-acquisition.ts";
import type { Machine } from "../disk/machine.ts";

const REASON = "a journal whose fsync failed";

/** Takes the run for a moment, which makes the journal anew. Errors: `LOCK_HELD` when its owner still lives. */
export async function remake(machine: Machine, runRoot: string): Promise<void> {
  const acquired = await acquire(machine, runRoot, { reason: REASON });
  if (acquired.kind === "held") throw new RunError("LOCK_HELD", { run_root: runRoot, owner_id: acquired.by.owner_id });
  await acquired.writer.release();
}

/**
 * Notes that an fsync of the journal failed, and throws so. A second fsync would succeed although the bytes are lost, so
 * no process may try one. The lease is taken from a living owner as well, because it writes the same journal.
 */
export async function condemn(machine: Machine, runRoot: string, path: string, cause: unknown): Promise<never> {
  try {
    const claimed = await claim(machine, runRoot, { lease_seconds: MIN_LEASE_S, force: true, reason: REASON });
    if (claimed.kind === "claimed") {
      try {
        await claimed.lease.noteBadSync(true);
      } finally {
        await claimed.lease.release();
      }
    }
  } catch (error) {
    // The disk may refuse this note, too. The failed fsync is reported in either case.
    if (errnoOf(error) === undefined && !(error instanceof RunError)) throw error;
  }
  throw new JournalCondemned(path, cause);
}
