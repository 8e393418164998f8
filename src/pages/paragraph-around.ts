// Finds the rest of the paragraph that a quote was taken from.
import { decodedText } from "../kernel/decoded-text.ts";

/** The most that is shown on each side of a quote. */
const MAX_BYTES = 600;
const BLANK_LINE = /\r?\n[^\S\n]*\r?\n/;

/** The text before and behind a span of bytes, each as far as a blank line. Longer text is cut between words. */
export function paragraphAround(
  text: Uint8Array,
  { start, end }: { start: number; end: number },
): { before: string; after: string } {
  const from = letterFrom(text, Math.max(0, start - MAX_BYTES));
  const to = letterFrom(text, Math.min(text.byteLength, end + MAX_BYTES));
  const [before = "", ...paragraphs] = decodedText(text.subarray(from, start)).split(BLANK_LINE);
  const [after = "", ...others] = decodedText(text.subarray(end, to)).split(BLANK_LINE);
  return {
    before: paragraphs.at(-1) ?? (from === 0 ? before : before.replace(/^\S*/, "…")),
    after: others.length > 0 || to === text.byteLength ? after : after.replace(/\S*$/, "…"),
  };
}

/** The first byte at or behind `at` that begins a character. */
function letterFrom(text: Uint8Array, at: number): number {
  let first = at;
  while (((text[first] ?? 0) & 0xc0) === 0x80) first++;
  return first;
}
