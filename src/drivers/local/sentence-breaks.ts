// Finds where the sentences of a piece of prose begin and end.
import { isWithinSentence } from "./abbreviations.ts";
import { beginsLower } from "./readability.ts";

/** String offsets; neither begins nor ends with white space. */
export interface Span {
  start: number;
  end: number;
}

/** Marks that end a sentence, with what closes around them. Scripts without spaces need none behind the mark. */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’»)\]*_`]*(?=\s)|[。！？｡]+[」』）”"*_`]*/gu;
const QUOTED_SPEECH = /^[」』）]|^(?:と|って|という|など)/u;

/** `flat`: the text with every line end as a space; other white space may stand in it. */
export function sentenceSpans(flat: string): Span[] {
  const spans: Span[] = [];
  let start = skipSpace(flat, 0);
  for (const match of flat.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (end <= start || !isEnd(flat, start, end)) continue;
    spans.push({ start, end });
    start = skipSpace(flat, end);
  }
  const end = flat.trimEnd().length;
  if (end > start) spans.push({ start, end });
  return spans;
}

/** What stands before and behind a mark is looked at only as far as it decides. */
const LOOK_BACK = 60;
const LOOK_AHEAD = 40;

function isEnd(flat: string, start: number, end: number): boolean {
  const next = skipSpace(flat, end);
  const after = flat.slice(next, next + LOOK_AHEAD);
  if (after === "") return true;
  // Dots that lead from a title to its page.
  if (/^[.…]/.test(after)) return false;
  const mark = flat[end - 1] ?? "";
  if (/[。！？｡」』）]/u.test(mark)) return !QUOTED_SPEECH.test(after);
  if (beginsLower(after)) return false;
  const before = flat.slice(Math.max(start, end - LOOK_BACK), end);
  return !before.endsWith(".") || !isWithinSentence(before, after);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] === " " || /\s/.test(text[at] ?? ""))) at++;
  return at;
}
