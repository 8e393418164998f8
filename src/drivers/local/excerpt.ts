// Extends a passage to a span that a reader can judge by itself: whole blocks, with the lines that introduce them.
import type { Block } from "../../corpus/blocks/blocks.ts";
import { beginsEntry, beginsKeyword, MAX_PASSAGE_LENGTH } from "../../corpus/blocks/entries.ts";
import { sentencesOf, type Span } from "../../kernel/sentences.ts";
import { linesOf } from "./sentences.ts";
import type { StoredText } from "./stored-text.ts";

/** About a page. A span is not extended beyond it. */
const MAX_LENGTH = 3_000;
/** The lines of a history that are shown before the marked ones, and behind them. */
const LINES_AROUND = 2;
const ITEM = /^(?:[-*+•]|\d{1,9}[.)])\s/u;
/** The end of a line that introduces the block behind it, or asks what that answers. */
const INTRODUCES = /[:：?？؟]["'”’»)\]*_`]*$/u;

/**
 * The span with what belongs to it: the table of a row, the rest of a block, the line that introduces a list or an example, and
 * what such a line introduces.
 */
export function excerptAround(found: Span, document: StoredText): Span {
  const { blocks } = document;
  const first = blocks.findIndex(({ end }) => end > found.start);
  const last = blocks.findLastIndex(({ start }) => start < found.end);
  const [begin, end] = [blocks[first], blocks[last]];
  if (begin === undefined || end === undefined) return found;
  let span = grown(found, [begin, end], document);
  const before = blocks[first - 1];
  if (begin.kind === "definition" && before?.kind === "term" && span.start <= begin.start)
    span = united(span, [before]);
  if (begin.kind !== "heading" && introduces(before, document.text)) span = united(span, [before]);
  if (introduces(end, document.text)) {
    // A term says nothing without its definition.
    const behind = blocks[last + 1]?.kind === "term" ? last + 2 : last + 1;
    span = united(span, [blocks[last + 1], blocks[behind]]);
  }
  return span;
}

/**
 * The span cut to the entry of a term, the items of a list, or the code, that hold all marks, since a passage also holds
 * neighbours that fit in. The block that introduces the first item stays, as does the one above code or above a further
 * paragraph of an item, and what the last item introduces. Without an entry a span of less than half a passage stays whole.
 */
export function itemsAlone(span: Span, marked: readonly Span[], document: StoredText): Span {
  const keyword = keywordAround(span, marked, document);
  if (keyword !== null) return keyword;
  const { blocks, text } = document;
  const holds = (block: Block): boolean => marked.some(({ start, end }) => block.start < end && start < block.end);
  const [first, last] = [blocks.findIndex(holds), blocks.findLastIndex(holds)];
  const items = blocks.slice(first, last + 1);
  const isOfOne = (["list_item", "code"] as const).some((kind) => items.every((item) => item.kind === kind));
  const isLong = span.end - span.start >= MAX_PASSAGE_LENGTH / 2;
  const [before, begin, end, behind] = [blocks[first - 1], blocks[first], blocks[last], blocks[last + 1]];
  const isEntry = begin !== undefined && beginsEntry(text, begin);
  if (begin === undefined || !(isEntry || (isOfOne && isLong))) return span;
  // A further paragraph of an item says little without the block before it.
  const continues = !isEntry && !ITEM.test(text.slice(begin.start, begin.end));
  const needsLead = introduces(before, text) || (continues && before?.kind !== "heading");
  const lead = needsLead ? before : begin;
  const next = blocks.findIndex((block, at) => at > last && (block.kind === "heading" || beginsEntry(text, block)));
  const tail = isEntry ? blocks[(next < 0 ? blocks.length : next) - 1] : introduces(end, text) ? behind : end;
  return { start: Math.max(span.start, lead?.start ?? span.start), end: Math.min(span.end, tail?.end ?? span.end) };
}

/** The entry of a reference of keywords with all marks, up to a page; a keyword alone below a heading is none. */
function keywordAround(span: Span, marked: readonly Span[], { blocks, text }: StoredText): Span | null {
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return null;
  const top = blocks.findLastIndex(({ kind, start }) => kind === "heading" && start <= first.start) + 1;
  const bottom = blocks.findIndex(({ kind, start }) => kind === "heading" && start > first.start);
  const own = blocks.slice(top, bottom < 0 ? blocks.length : bottom);
  const keywords = own.filter((block) => beginsKeyword(text, block));
  const begin = keywords.findLast(({ start }) => start <= first.start);
  const next = keywords.find(({ start }) => start > first.start);
  const tail = own.findLast((block) => next === undefined || block.start < next.start);
  const end = Math.min(tail?.end ?? 0, next === undefined ? span.end : Infinity);
  if (begin === undefined || keywords.length < 2 || end < last.end || end - begin.start > MAX_LENGTH) return null;
  return { start: begin.start, end };
}

/** The span of a history cut to the marked lines with a few around them, since a history is one long list of lines. */
export function linesAlone(span: Span, marked: readonly Span[], { text }: StoredText): Span {
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined || span.end - span.start < MAX_PASSAGE_LENGTH / 2) return span;
  const lines = linesOf(text, span);
  const from = lines.findIndex(({ end }) => end > first.start) - LINES_AROUND;
  const to = lines.findLastIndex(({ start }) => start < last.end) + LINES_AROUND;
  return { start: lines[Math.max(0, from)]?.start ?? span.start, end: (lines[to] ?? span).end };
}

/** The span up to the ends of its first and last block, or of its first and last sentence when a block is too long. */
function grown(found: Span, [begin, end]: [Block, Block], { text }: StoredText): Span {
  const whole = united(found, [begin, end]);
  if (whole.start <= begin.start && whole.end >= end.end) return whole;
  if (begin.kind === "table") return found;
  const from = Math.max(begin.start, found.start - MAX_LENGTH);
  const near = sentencesOf(text, { start: from, end: Math.min(end.end, found.end + MAX_LENGTH) });
  const sentences = near.filter((one) => one.end > found.start && one.start < found.end);
  return united(found, [sentences[0], sentences.at(-1)]);
}

/** The span with the others, unless it becomes too long. Headings and missing blocks add nothing. */
function united(span: Span, others: readonly ((Span & Partial<Block>) | undefined)[]): Span {
  const taken = others.flatMap((other) => (other === undefined || other.kind === "heading" ? [] : [other]));
  const start = Math.min(span.start, ...taken.map((other) => other.start));
  const end = Math.max(span.end, ...taken.map((other) => other.end));
  return end - start <= MAX_LENGTH ? { start, end } : span;
}

function introduces(block: Block | undefined, text: string): boolean {
  if (block === undefined || block.kind === "heading" || block.kind === "code") return false;
  return INTRODUCES.test(text.slice(Math.max(block.start, block.end - 20), block.end));
}
