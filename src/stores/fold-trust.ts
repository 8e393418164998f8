// Tells an owner whether it may go on from the fold on disk: a digest of its own says only that nobody damaged it.
import { canonicalJson } from "../kernel/canonical-json.ts";
import { CHAIN_START, scanJournal } from "../run/journal.ts";
import { foldAll } from "../run/fold.ts";
import { manifestSchema, type Manifest } from "../run/manifest.ts";
import type { FileHandle } from "../ports/files.ts";

/** Up to this size it costs less to fold a journal than to walk a manifest by its schema, and takes nobody's word. */
const MAX_FOLDED_BYTES = 512 * 1024;

/** A short journal is folded and compared. Of a long one the fold is walked by its schema, and `verify` compares it. */
export async function isFoldOf(handle: FileHandle, size: number, manifest: Manifest): Promise<boolean> {
  if (size > MAX_FOLDED_BYTES) return manifestSchema.safeParse(manifest).success;
  const bytes = await handle.readAt(0, size);
  try {
    const { seq, digest } = manifest.journal;
    // What the manifest folded is known by the digest of its last record.
    const records = scanJournal(bytes, 0, CHAIN_START, seq).records.slice(0, seq);
    return records.at(-1)?.record.digest === digest && canonicalJson(manifest) === canonicalJson(foldAll(records));
  } catch {
    // Whatever does not fit is found again, and typed, by whoever folds the journal by its schemas.
    return false;
  }
}
