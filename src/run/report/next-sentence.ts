// Extends a quote by the sentence behind it, by the stored bytes alone, so that a gate can do it again.
import { sentencesOf } from "../../kernel/sentences.ts";
import type { Quote } from "./source.ts";

/** How far behind the quote the sentence may end. */
const REACH_BYTES = 2_000;
/** A longer sentence was not shown whole to the writer. */
const MAX_SENTENCE_LENGTH = 300;
/** The end of a paragraph, an item or a row. */
export const PIECE_END = /\n\s*\n|\n(?=\s*(?:[-*+•] |\p{N}+[.)] |#{1,6} |\||```))/u;
const IS_HEADING = /^\s*#{1,6}\s/u;

/** Null where its paragraph ends with the quote, or where the next sentence is long. `text`: that of the source. */
export function withNextSentence(quote: Quote, text: Uint8Array): Quote | null {
  const behind = new TextDecoder().decode(text.subarray(quote.end, quote.end + REACH_BYTES)).replace(/\ufffd+$/u, "");
  const [piece = ""] = behind.split(PIECE_END);
  if (IS_HEADING.test(piece)) return null;
  const next = sentencesOf(piece).find(({ start, end }) => /[\p{L}\p{N}]/u.test(piece.slice(start, end)));
  if (next === undefined) return null;
  const added = piece.slice(0, next.end);
  if (added.length > MAX_SENTENCE_LENGTH || added.includes("\ufffd")) return null;
  return { ...quote, end: quote.end + Buffer.byteLength(added), text: `${quote.text}${added}` };
}
