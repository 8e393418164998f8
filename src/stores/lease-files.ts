// The lease on disk: claims `.lock.<epoch>` decide, `.lock` is the copy that people read and may remove.
import type { LeaseStore } from "../ports/lease-store.ts";
import { claim } from "./lease-claim.ts";
import { judgeInForce, readLeases, type LeaseDependencies } from "./lease-reading.ts";
import { viewpoint } from "./lease-view.ts";
import { requireLocalDisk } from "./local-disk.ts";

export function leaseFiles(dependencies: LeaseDependencies): LeaseStore {
  return {
    async claim(folder, options) {
      requireLocalDisk(dependencies, folder);
      return await claim(dependencies, folder, options);
    },
    async judge(folder, nowMs) {
      const here = viewpoint(dependencies);
      const { uptime_ms: _uptime, ...byClock } = here;
      return judgeInForce(
        dependencies,
        await readLeases(dependencies, folder),
        nowMs === undefined ? here : { ...byClock, now_ms: nowMs },
      );
    },
  };
}
