// Cuts text into what can be quoted: exact spans of prose, each a sentence, or two where the second leans on the first.
import { blocksOf, PROSE_KINDS, type Block } from "../../corpus/blocks.ts";
import type { Format } from "../../corpus/formats.ts";
import { LEANS } from "./cues/sentence-cues.ts";
import { beginsLower, isReadable } from "./readability.ts";
import { sentenceSpans, type Span } from "./sentence-breaks.ts";

/** `start` and `end` are string offsets into the text that was cut. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
  /** Its place among the sentences of its block, from 0. */
  place: number;
  /** Two sentences, of which the second leans on the first. */
  isPair: boolean;
}

const LIST_MARKER = /^(\s*(?:[-*+•‣▪◦–]|\p{N}{1,9}[.)]|[a-z]\))\s+(?:\[[ xX]\]\s+)?)/u;
const QUOTATION_MARKER = /^(\s*>\s?)+/;
const COMMENT_MARKER = /^\s*(?:\/\/[/!]?|\/\*\*?|\*(?!\/)|#+|--|;;+)\s*(?:[-*+]\s+)?/;
const COMMENT_END = /\s*\*\/\s*$/;
/** Two sentences together may be longer than one. */
const MAX_PAIR_LENGTH = 560;

export function sentencesOf(text: string, format: Format): Sentence[] {
  return [...blocksOf(text, format)].flatMap((block) => sentencesOfBlock(text, block));
}

/** What can be quoted of one block of `text`. */
export function sentencesOfBlock(text: string, block: Block): Sentence[] {
  if (!PROSE_KINDS.has(block.kind)) return [];
  const raw = text.slice(block.start, block.end);
  const spans = sentenceSpans(flatProse(raw, block));
  return spans.flatMap((span, place) => {
    const whole = quotable(raw, span, spans[place - 1], block);
    return whole === null
      ? []
      : [
          {
            start: block.start + whole.start,
            end: block.start + whole.end,
            text: raw.slice(whole.start, whole.end),
            place,
            isPair: whole.start < span.start,
          },
        ];
  });
}

/** The sentence, or with the one before it when it leans on that; null when neither can stand alone. */
function quotable(raw: string, span: Span, before: Span | undefined, { kind }: Block): Span | null {
  if (!isWhole(raw, span, kind)) return null;
  if (!LEANS.test(raw.slice(span.start, span.end))) return span;
  if (before === undefined || !isWhole(raw, before, kind) || LEANS.test(raw.slice(before.start, before.end)))
    return null;
  const pair = { start: before.start, end: span.end };
  const isShort = pair.end - pair.start <= MAX_PAIR_LENGTH;
  return isShort && (kind !== "comment" || isOnOneLine(raw, pair)) ? pair : null;
}

/** A sentence of a comment that goes over a line end would carry comment marks in its middle. */
function isWhole(raw: string, span: Span, kind: Block["kind"]): boolean {
  const text = raw.slice(span.start, span.end);
  if (!isReadable(text)) return false;
  return kind !== "comment" || (isOnOneLine(raw, span) && !beginsLower(text));
}

function isOnOneLine(raw: string, { start, end }: Span): boolean {
  return !/[\r\n]/.test(raw.slice(start, end));
}

/** The block as one line, its marks as spaces: the length stays the same, so that offsets do. */
function flatProse(raw: string, { kind }: Block): string {
  if (kind === "comment") {
    return raw
      .split(/(\r\n|\r|\n)/)
      .map((line) => line.replace(COMMENT_MARKER, blank).replace(COMMENT_END, blank))
      .join("")
      .replace(/\s/g, " ");
  }
  const marker = kind === "quotation" ? QUOTATION_MARKER : LIST_MARKER;
  return raw.replace(marker, blank).replace(/\s/g, " ");
}

function blank(marks: string): string {
  return " ".repeat(marks.length);
}
