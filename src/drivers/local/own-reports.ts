// Tells reports of this tool from documents: a report quotes others, and the originals have to be quoted instead.
import { PROSE_KINDS } from "../../corpus/blocks.ts";
import type { StoredText } from "./stored-text.ts";

/** See checkedText in the stages; the reports of version 0.1.0 have it, too. */
const CHECKED = /\p{Nd} claims? from \p{Nd}+ sources?[,:.].*Whether a source is right was not judged\./su;
const MAX_LENGTH = 1_000;

/** A page that is shown as an example stands in a block of code. */
export function isOwnReport(document: StoredText): boolean {
  return document.blocks.some(
    (block) =>
      PROSE_KINDS.has(block.kind) && block.end - block.start <= MAX_LENGTH && CHECKED.test(document.slice(block)),
  );
}
