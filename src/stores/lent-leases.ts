// Leases that a caller in this process holds and lends, for as long as it holds them, to the writers of this process.
import { replaced } from "../kernel/replaced.ts";
import type { HeldLease } from "../ports/lease-store.ts";

interface Loan {
  lease: HeldLease;
  isBorrowed: boolean;
}

export class LentLeases {
  readonly #loans = new Map<string, Loan>();

  /** From now on writers of this process work under the lease of this folder, one at a time. */
  lend(folder: string, lease: HeldLease): void {
    this.#loans.set(folder, { lease, isBorrowed: false });
  }

  /** Ends the loan. A writer that still works under it learns that at its next heartbeat or before its tick ends. */
  end(folder: string, lease: HeldLease): void {
    if (this.#loans.get(folder)?.lease === lease) this.#loans.delete(folder);
  }

  /** The lease to work under; null when none is lent, when another writer has it, or when it was lost meanwhile. */
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

/** Releasing it gives it back: the lease itself ends with the caller that holds it. */
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
