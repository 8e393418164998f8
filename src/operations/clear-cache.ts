// `cache clear`: deletes the indexes of corpora; runs make them again when they need them.
import type { ClearedCache } from "../ports/index-cache.ts";
import type { Ports } from "../ports/ports.ts";
import type { Outcome } from "./outcome.ts";

export async function clearCache(ports: Ports): Promise<Outcome<ClearedCache>> {
  return { result: await ports.indexCache.clear(), run: null, error: null };
}
