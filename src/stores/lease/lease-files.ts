// Leases of any folder on disk. The claims `.lock.<epoch>` decide. `.lock` is the copy that people read and may remove.
import type { LeaseStore } from "../../ports/lease-store.ts";
import { claim } from "./lease-claim.ts";
import { judgeInForce, readLeases, viewpoint } from "./lease-reading.ts";
import type { Machine } from "../disk/machine.ts";

export function leaseFiles(machine: Machine): LeaseStore {
  return {
    claim: async (folder, options) => await claim(machine, folder, options),
    async judge(folder, nowMs) {
      const here = viewpoint(machine);
      const { uptime_ms: _uptime, ...byClock } = here;
      const reading = await readLeases(machine, folder);
      return judgeInForce(machine, reading, nowMs === undefined ? here : { ...byClock, now_ms: nowMs });
    },
  };
}
