// Cuts text into the sentences that can be quoted: exact spans of prose, never headings, code, tables or link lists.
import { blocksOf, PROSE_KINDS, type Block } from "../../corpus/blocks.ts";
import type { Format } from "../../corpus/formats.ts";
import { linesOf } from "../../corpus/lines.ts";
import { beginsLower, isReadable } from "./readability.ts";

/** `start` and `end` are string offsets into the text that was cut. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
}

const LIST_MARKER = /^(\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)/;
const QUOTATION_MARKER = /^(\s*>\s?)+/;
const COMMENT_MARKER = /^\s*(?:\/\/[/!]?|\/\*\*?|\*(?!\/)|#+|--|;;+)\s*(?:[-*+]\s+)?/;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|fig|al|mr|mrs|ms|dr|st|v)\.\s*$/i;

export function sentencesOf(text: string, format: Format): Sentence[] {
  return [...blocksOf(text, format)].flatMap((block) => sentencesOfBlock(text, block));
}

/** The readable sentences of one block of `text`. */
export function sentencesOfBlock(text: string, block: Block): Sentence[] {
  if (!PROSE_KINDS.has(block.kind)) return [];
  const raw = text.slice(block.start, block.end);
  const spans = block.kind === "comment" ? commentLines(raw) : [proseSpan(raw, block)];
  return spans
    .flatMap(({ start, end }) => segmentsOf(raw, start, end))
    .map(({ start, end }) => ({ start: block.start + start, end: block.start + end, text: raw.slice(start, end) }))
    .filter(({ text: sentence }) => isReadable(sentence) && !(block.kind === "comment" && beginsLower(sentence)));
}

interface Span {
  start: number;
  end: number;
}

function proseSpan(raw: string, block: Block): Span {
  const marker = block.kind === "quotation" ? QUOTATION_MARKER : LIST_MARKER;
  return { start: marker.exec(raw)?.[0].length ?? 0, end: raw.length };
}

/**
 * Each line of a comment by itself: a sentence over two lines would carry the comment marks in its middle. A line that
 * begins in lower case goes on with the line before and is no sentence.
 */
function commentLines(raw: string): Span[] {
  return [...linesOf(raw)].map((line) => ({
    start: line.start + (COMMENT_MARKER.exec(line.text)?.[0].length ?? 0),
    end: line.end,
  }));
}

let segmenter: Intl.Segmenter | undefined;

function segmentsOf(raw: string, start: number, end: number): Span[] {
  // A line end is a space within a sentence, but the segmenter would stop at it. The length stays the same.
  const flat = raw.slice(start, end).replace(/[\r\n\t]/g, " ");
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  const spans: Span[] = [];
  for (const { index, segment } of segmenter.segment(flat)) {
    const previous = spans.at(-1);
    const isContinued = previous !== undefined && continues(flat.slice(previous.start, previous.end), segment);
    if (isContinued) previous.end = index + segment.length;
    else spans.push({ start: index, end: index + segment.length });
  }
  return spans.map((span) => trimmed(flat, span)).map((span) => ({ start: start + span.start, end: start + span.end }));
}

/** True when the segmenter stopped too early: after an abbreviation, or before a word that begins no sentence. */
function continues(before: string, segment: string): boolean {
  return ABBREVIATION.test(before) || beginsLower(segment.trimStart());
}

function trimmed(flat: string, { start, end }: Span): Span {
  const text = flat.slice(start, end);
  return { start: start + (text.length - text.trimStart().length), end: end - (text.length - text.trimEnd().length) };
}
