// Says whether an owner may continue from manifest.json. Its own digest says only that it is not damaged.
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { CHAIN_START, scanJournal } from "../../run/log/journal.ts";
import { foldAll } from "../../run/log/fold.ts";
import { manifestSchema, type Manifest } from "../../run/log/manifest.ts";
import type { FileHandle } from "../../ports/files.ts";

/** Folding a journal up to this size costs less than checking a manifest by its schema, and proves more. */
const MAX_FOLDED_BYTES = 512 * 1024;

/** A short journal is folded and compared. For a long one the manifest is checked by its schema, and `verify` compares it. */
export async function isFoldOf(handle: FileHandle, size: number, manifest: Manifest): Promise<boolean> {
  if (size > MAX_FOLDED_BYTES) return manifestSchema.safeParse(manifest).success;
  const bytes = await handle.readAt(0, size);
  try {
    const { seq, digest } = manifest.journal;
    // The digest of the last folded record says which records were folded.
    const records = scanJournal(bytes, 0, CHAIN_START, seq).records.slice(0, seq);
    return records.at(-1)?.record.digest === digest && canonicalJson(manifest) === canonicalJson(foldAll(records));
  } catch {
    // The caller then folds the journal by its schemas, and finds what does not fit.
    return false;
  }
}
