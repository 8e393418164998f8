// Content that the owner of a run has read in this stage, by digest: what is read again and again is fetched once.
import type { RunWriter } from "../ports/run-log.ts";
import type { Stage } from "../run/stage.ts";

type Read = RunWriter["readContent"];

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads through a cache; what was used longest ago goes first. The bytes that it returns are not to be changed. Each stage reads
 * anew, so that damage that came meanwhile is met before something rests on it.
 */
export function cachedContent(read: Read, stageNow: () => Stage, maxBytes = MAX_BYTES): Read {
  const kept = new Map<string, Uint8Array>();
  let total = 0;
  let stage = stageNow();
  return async (ref) => {
    if (stage !== stageNow()) {
      stage = stageNow();
      kept.clear();
      total = 0;
    }
    const known = kept.get(ref.sha256);
    const bytes = known ?? (await read(ref));
    if (known !== undefined) kept.delete(ref.sha256);
    else if (kept.has(ref.sha256) || bytes.byteLength > maxBytes) return bytes;
    else total += bytes.byteLength;
    kept.set(ref.sha256, bytes);
    for (const [digest, { byteLength }] of kept) {
      if (total <= maxBytes) break;
      kept.delete(digest);
      total -= byteLength;
    }
    return bytes;
  };
}
