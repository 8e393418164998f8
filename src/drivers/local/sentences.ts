// Cuts text into what can be quoted: exact spans of prose, each a sentence, or two where the second leans on the first.
import { blocksOf, PROSE_KINDS, type Block } from "../../corpus/blocks.ts";
import type { Format } from "../../corpus/formats.ts";
import { headingText } from "../../corpus/headings.ts";
import { LACKS_SUBJECT, LEANS, POINTS_UP } from "./cues/sentence-cues.ts";
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
  /** The heading or term right above, when the sentence is about it without naming it: "This declares ..." */
  label: string | null;
}

const LIST_MARKER = /^(\s*(?:[-*+•‣▪◦–]|\p{N}{1,9}[.)]|[a-z]\))\s+(?:\[[ xX]\]\s+)?)/u;
const QUOTATION_MARKER = /^(\s*>\s?)+/;
const COMMENT_MARKER = /^\s*(?:\/\/[/!]?|\/\*\*?|\*(?!\/)|#+|--|;;+)\s*(?:[-*+]\s+)?/;
const COMMENT_END = /(?<!\s)\s*\*\/\s*$/;
/** Two sentences together may be longer than one. */
const MAX_PAIR_LENGTH = 560;
const MAX_TERM_LENGTH = 80;

/** `heading`: what stands above the text. */
export function sentencesOf(text: string, format: Format, heading: string | null = null): Sentence[] {
  let above = heading;
  return [...blocksOf(text, format)].flatMap((block) => {
    const sentences = sentencesOfBlock(text, block, above);
    above = labelOf(text, block);
    return sentences;
  });
}

/** A term that the block below it explains is written as a heading, or as a short line of its own. */
export function labelOf(text: string, { kind, start, end }: Block): string | null {
  const raw = text.slice(start, end);
  if (kind === "heading") return headingText(raw);
  const isTerm =
    (kind === "paragraph" || kind === "term") &&
    raw.length <= MAX_TERM_LENGTH &&
    !/[\r\n]|[.!?:;,。！？：、]\W*$/u.test(raw);
  return isTerm ? headingText(raw) : null;
}

/** What can be quoted of one block of `text`; `label`: of the block above it. */
export function sentencesOfBlock(text: string, block: Block, label: string | null): Sentence[] {
  if (!PROSE_KINDS.has(block.kind)) return [];
  const raw = text.slice(block.start, block.end);
  const spans = sentenceSpans(flatProse(raw, block));
  const isLabelled = label !== null && label !== "" && spans[0] !== undefined && pointsUp(raw.slice(spans[0].start));
  return spans.flatMap((span, place) => {
    const whole = quotable(raw, { span, before: spans[place - 1], isFirstLabelled: isLabelled }, block);
    if (whole === null) return [];
    const { start, end } = whole;
    const own = isLabelled && start === spans[0]?.start ? label : null;
    return [
      {
        start: block.start + start,
        end: block.start + end,
        text: raw.slice(start, end),
        place,
        isPair: start < span.start,
        label: own,
      },
    ];
  });
}

/** Whether a text begins like an explanation of what stands above it. */
export function pointsUp(text: string): boolean {
  return POINTS_UP.test(text) || LACKS_SUBJECT.test(text);
}

interface Placed {
  span: Span;
  before: Span | undefined;
  /** Whether the first sentence of the block leans on what stands above the block. */
  isFirstLabelled: boolean;
}

/** The sentence, or with the one before it when it leans on that; null when neither can stand alone. */
function quotable(raw: string, { span, before, isFirstLabelled }: Placed, { kind }: Block): Span | null {
  if (!isWhole(raw, span, kind)) return null;
  if (!LEANS.test(raw.slice(span.start, span.end))) return span;
  if (before === undefined) return isFirstLabelled ? span : null;
  const isFirst = raw.slice(0, before.start).trim() === "";
  const standsAlone = !LEANS.test(raw.slice(before.start, before.end)) || (isFirst && isFirstLabelled);
  if (!standsAlone || !isWhole(raw, before, kind)) return null;
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
