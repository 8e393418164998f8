// Deals with a journal whose fsync failed: it is noted, and the next one who needs the run makes the journal anew.
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { LeaseStore } from "../ports/lease-store.ts";
import { MIN_LEASE_S } from "../run/lease.ts";
import { JournalCondemned } from "./journal-file.ts";
import { acquire } from "./run-acquisition.ts";
import type { JournalRemedy } from "./durability.ts";
import type { Machine } from "./machine.ts";

const REASON = "a journal whose fsync failed";

export function journalRemedy(machine: Machine, leases: LeaseStore): JournalRemedy {
  return {
    async remake(runRoot) {
      const acquired = await acquire(machine, leases, runRoot, { reason: REASON });
      if (acquired.kind === "held")
        throw new RunError("LOCK_HELD", { run_root: runRoot, owner_id: acquired.by.owner_id });
      await acquired.writer.release();
    },
    async condemn(runRoot, path, cause) {
      await noteBadSync(leases, runRoot);
      throw new JournalCondemned(path, cause);
    },
  };
}

/**
 * A second fsync would succeed, although the bytes are lost: so nobody may try one. The lease is taken from a living owner
 * as well, because the journal that it writes is the same.
 */
async function noteBadSync(leases: LeaseStore, runRoot: string): Promise<void> {
  try {
    const claimed = await leases.claim(runRoot, { lease_seconds: MIN_LEASE_S, force: true, reason: REASON });
    if (claimed.kind === "held") return;
    try {
      await claimed.lease.noteBadSync(true);
    } finally {
      await claimed.lease.release();
    }
  } catch (error) {
    // The disk may refuse this note, too; the call reports the failed fsync in either case.
    if (errnoOf(error) === undefined && !(error instanceof RunError)) throw error;
  }
}
