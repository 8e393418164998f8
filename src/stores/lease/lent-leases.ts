// Leases that a caller in this process holds and lends to the writers of this process.
import { replaced } from "../../kernel/replaced.ts";
import type { HeldLease } from "./lease-claim.ts";

interface Loan {
  lease: HeldLease;
  isBorrowed: boolean;
}

export class LentLeases {
  readonly #loans = new Map<string, Loan>();

  /** From now on writers of this process work under this lease, one at a time. */
  lend(folder: string, lease: HeldLease): void {
    this.#loans.set(folder, { lease, isBorrowed: false });
  }

  /** Ends the loan. A writer that still works under the lease finds out at its next heartbeat or before its tick ends. */
  end(folder: string, lease: HeldLease): void {
    if (this.#loans.get(folder)?.lease === lease) this.#loans.delete(folder);
  }

  /** The lease to work under; null when none is lent, another writer has it, or it was lost meanwhile. */
  async borrow(folder: string): Promise<HeldLease | null> {
    const loan = this.#loans.get(folder);
    if (loan === undefined || loan.isBorrowed) return null;
    loan.isBorrowed = true;
    const isOurs = (await loan.lease.refresh()).kind === "refreshed";
    if (isOurs) return borrowed(loan);
    loan.isBorrowed = false;
    return null;
  }
}

/** Releasing this lease only gives it back. The caller that holds the real one releases that. */
function borrowed(loan: Loan): HeldLease {
  const abandon = async (): Promise<void> => {
    loan.isBorrowed = false;
  };
  const release: HeldLease["release"] = async () => {
    await abandon();
    return { kind: "refreshed", reclaimed: false };
  };
  return replaced(loan.lease, { abandon, release });
}
