// Says in words what of a document has no text, though the rest of it is read.
import { counted } from "../../kernel/counted.ts";
import type { TextFrom } from "../../run/report/source.ts";
import { PAGE_END } from "../blocks/anchors.ts";
import { documentKindOf } from "../formats/formats.ts";

/** The mark in the text of a Word document for another document in it. */
export const EMBEDDED_DOCUMENT = "[embedded document]";

const MAX_RANGES = 8;

export interface UnreadParts {
  count: number;
  /** As `3 of 4 pages have no text (pages 2 to 4)`. */
  words: string;
}

/** Null when the whole document is read. */
export function unreadPartsOf(path: string, text: string, from: TextFrom): UnreadParts | null {
  if (from.text_from === "decoded" && from.replaced_bytes !== undefined) {
    const [count, shown] = [from.replaced_bytes, from.replaced_bytes === 1 ? "is shown" : "are shown"];
    return { count, words: `${counted(count, "byte")} could not be read and ${shown} as \uFFFD` };
  }
  const kind = from.text_from === "extracted" ? documentKindOf(path) : null;
  if (kind === "pdf") return pagesWithoutText(text);
  return kind === "docx" ? embeddedDocuments(text) : null;
}

function pagesWithoutText(text: string): UnreadParts | null {
  const pages = text.split(PAGE_END);
  const empty = pages.flatMap((page, at) => (page.trim() === "" ? [at + 1] : []));
  const count = empty.length;
  if (count === 0) return null;
  const [have, named] = count === 1 ? ["has", "page"] : ["have", "pages"];
  return { count, words: `${count} of ${pages.length} pages ${have} no text (${named} ${rangesOf(empty)})` };
}

/** `1, 3 to 5`: the numbers rise. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const open = ranges.at(-1);
    if (open?.last === number - 1) open.last = number;
    else ranges.push({ first: number, last: number });
  }
  const shown = ranges
    .slice(0, MAX_RANGES)
    .map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`));
  return [...shown, ...(ranges.length > MAX_RANGES ? ["…"] : [])].join(", ");
}

function embeddedDocuments(text: string): UnreadParts | null {
  const count = text.split(EMBEDDED_DOCUMENT).length - 1;
  if (count === 0) return null;
  const have = count === 1 ? "has" : "have";
  return { count, words: `${counted(count, "embedded document")} ${have} no text that can be read` };
}
