// Recognizes reports of this program among the documents. A report quotes others, and the originals are to be quoted instead.
import { PROSE_KINDS } from "../../corpus/blocks/blocks.ts";
import type { StoredText } from "./stored-text.ts";

/** The words of `checkedText` in `pages`, which reports of version 0.1.0 have, too. */
const CHECKED = /\p{Nd} claims? from \p{Nd}+ sources?[,:.].*Whether a source is right was not judged\./su;
const MAX_LENGTH = 1_000;

/** A report that a document shows as an example is in code, so only prose is read. */
export function isOwnReport(document: StoredText): boolean {
  return document.blocks.some(
    (block) =>
      PROSE_KINDS.has(block.kind) && block.end - block.start <= MAX_LENGTH && CHECKED.test(document.slice(block)),
  );
}
