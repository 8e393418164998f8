// The first record of every owner, which says whose the run is. Until it counts, the owner has written nothing.
import { given } from "../../kernel/given.ts";
import type { Lease, OwnerDescription } from "../../ports/lease.ts";
import type { RecordDraft } from "../../run/log/record.ts";

/** What the record says beside the owner, whose id changes when the lease is claimed again. */
export interface Opening {
  reason?: string;
  took_over?: string;
}

export function openingOf(tookOver: string | undefined, reason: string | undefined): Opening {
  return given({ reason, took_over: tookOver });
}

export const CLAIMED_AGAIN: Opening = { reason: "claimed again after it expired" };

type Owner = Pick<Lease, "owner_id"> & Pick<OwnerDescription, "pid" | "hostname">;

/** The record has a process and a host. Of an owner without them it says 0 and nothing. */
export function leaseTaken({ owner_id, pid = 0, hostname = "" }: Owner, opening: Opening): RecordDraft {
  return { kind: "lease.taken", data: { owner_id, pid, hostname, ...opening } };
}
