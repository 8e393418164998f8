// Leases of any folder on disk. The claims `.lock.<epoch>` decide. `.lock` is the copy that people read and may remove.
import type { Machine } from "../disk/machine.ts";
import { claim } from "./lease-claim.ts";
import { judgeInForce, readLeases, viewpoint } from "./lease-reading.ts";
import type { ClaimOptions } from "./lease-record.ts";
import type { LeaseJudgement } from "./lease-rules.ts";

export type LeaseFiles = ReturnType<typeof leaseFiles>;

export function leaseFiles(machine: Machine) {
  return {
    claim: (folder: string, options: ClaimOptions) => claim(machine, folder, options),
    /** Judges the lease in force. With `nowMs` that reading of the clock alone decides. Writes nothing. */
    async judge(folder: string, nowMs?: number): Promise<LeaseJudgement> {
      const here = viewpoint(machine);
      const { uptime_ms: _uptime, ...byClock } = here;
      const reading = await readLeases(machine, folder);
      return judgeInForce(machine, reading, nowMs === undefined ? here : { ...byClock, now_ms: nowMs });
    },
  };
}
