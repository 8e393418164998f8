// Lists what a run could not reach. The journal is read only where the manifest says that there is such a list.
import type { Ports } from "../../ports/ports.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { blockedUrls, type BlockedUrl } from "../../run/report/blocked-urls.ts";
import { BLOCKED_URLS_FILE } from "../../run/log/layout.ts";
import { blockedIn } from "../../run/log/stage-folds.ts";

export async function blockedUrlsOf(
  { store }: Pick<Ports, "store">,
  { runRoot, manifest }: Pick<RunLook, "runRoot" | "manifest">,
): Promise<BlockedUrl[]> {
  const left = manifest.stage.history.flatMap(({ folds }) => folds);
  const isListed = manifest.blocked_urls !== undefined || left.some(({ path }) => path === BLOCKED_URLS_FILE);
  if (!isListed) return [];
  return blockedUrls((await store.records(runRoot)).flatMap(blockedIn)).urls;
}
