// Extends a quote by the sentence behind it, by the stored bytes alone, so that a gate can do it again.
import { sentencesOf } from "../../kernel/sentences.ts";
import type { Quote } from "./source.ts";

/** How far behind the quote the sentence may end. */
const REACH_BYTES = 2_000;
/** A longer sentence was not shown whole to the writer. */
const MAX_SENTENCE_LENGTH = 300;
/** The end of a paragraph, an item or a row. */
export const PIECE_END = /\n\s*\n|\n(?=\s*(?:[-*+•] |\p{N}+[.)] |#{1,6} |\||```))/u;
/** A heading, a row or code: no sentence that continues what was quoted. */
const IS_APART = /^\s*(?:#{1,6}\s|\||```)/u;

/** Null where its section ends with the quote, where a table or code follows, and where the next sentence is long. */
export function withNextSentence(quote: Quote, text: Uint8Array): Quote | null {
  const behind = new TextDecoder().decode(text.subarray(quote.end, quote.end + REACH_BYTES)).replace(/\ufffd+$/u, "");
  let start = 0;
  for (const piece of behind.split(PIECE_END)) {
    // Pieces are in the text in their order.
    start = behind.indexOf(piece, start);
    if (IS_APART.test(piece)) return null;
    const next = sentencesOf(piece).find((span) => /[\p{L}\p{N}]/u.test(piece.slice(span.start, span.end)));
    if (next === undefined) {
      start += piece.length;
      continue;
    }
    const added = behind.slice(0, start + next.end);
    if (added.length > MAX_SENTENCE_LENGTH || added.includes("\ufffd")) return null;
    return { ...quote, end: quote.end + Buffer.byteLength(added), text: `${quote.text}${added}` };
  }
  return null;
}
