// Content that the owner of a run has read, by digest: what is read again and again is fetched once.
import type { RunWriter } from "../ports/run-log.ts";

type Read = RunWriter["readContent"];

const MAX_BYTES = 32 * 1024 * 1024;

/** Reads through a cache; what was used longest ago goes first. Nobody changes the bytes that it returns. */
export function cachedContent(read: Read, maxBytes = MAX_BYTES): Read {
  const kept = new Map<string, Uint8Array>();
  let total = 0;
  return async (ref) => {
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
