// Cuts the text of a passage into pieces that can be marked: sentences, rows of tables, definitions, lines of code.
import { blocksOf, type Block } from "../../corpus/blocks/blocks.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { rowsOf } from "../../corpus/blocks/table-rows.ts";
import type { Passage } from "../../ports/provider.ts";
import { endsLikeProse, hasColumns, isWholeParagraph, lineGroups } from "../../kernel/line-groups.ts";

/** Offsets in a string. The text between them neither begins nor ends with white space. */
export interface Span {
  start: number;
  end: number;
}

/** The sentences of a passage as a search gives it. */
export function sentencesOfPassage({ text, origin }: Pick<Passage, "text" | "origin">): Span[] {
  const format = /^https?:/i.test(origin) ? "markdown" : formatOf(origin);
  const whole = { start: 0, end: text.length };
  const found = sentencesWithin(text, [...blocksOf(text, format)], whole);
  return found.length > 0 || format === "markdown" ? found : sentencesOf(text);
}

/** The sentences inside the span, in their order. Headings have none. */
export function sentencesWithin(text: string, blocks: readonly Block[], within: Span): Span[] {
  const spans: Span[] = [];
  let term: number | null = null;
  for (const block of blocks) {
    if (block.end <= within.start || block.start >= within.end) continue;
    const own = spansOf(text, block).map(({ start, end }) => ({
      start: Math.max(start, within.start),
      end: Math.min(end, within.end),
    }));
    const [first] = own;
    // A term belongs to the first sentence of its definition.
    if (term !== null && first !== undefined) first.start = term;
    term = block.kind === "term" ? Math.max(block.start, within.start) : null;
    if (block.kind === "term") continue;
    for (const span of own) if (span.end > span.start) spans.push(span);
  }
  return spans;
}

function spansOf(text: string, block: Block): Span[] {
  if (block.kind === "heading") return [];
  if (block.kind === "table") return [...rowsOf(text, block)];
  if (["code", "data", "markup", "links"].includes(block.kind)) return linesOf(text, block);
  return ["paragraph", "list_item", "definition"].includes(block.kind)
    ? proseIn(text, block)
    : sentencesOf(text, block);
}

const INDENT = /[^\S\r\n]/;

/** Sentences of prose, but lines of text in lines: in columns, with changing indents, or without an end of a sentence. */
function proseIn(text: string, block: Block): Span[] {
  const lines = [...text.slice(block.start, block.end).matchAll(/[^\r\n]*\S[^\r\n]*/gu)].map(({ index, 0: line }) => ({
    start: block.start + index,
    end: block.start + index + line.length,
  }));
  const [first] = lines;
  if (first === undefined || lines.length === 1) return sentencesOf(text, block);
  const indent = indentBefore(text, first.start);
  const words = lines.map(({ start, end }, at) => (at === 0 ? indent : "") + text.slice(start, end));
  const groups = lineGroups(words);
  return groups.flatMap((found) => {
    const { from, to, isWrapped } = found;
    const own = words.slice(from, to);
    const group = { start: lines[from]?.start ?? block.start, end: lines[to - 1]?.end ?? block.end };
    const isProse = own.some(endsLikeProse) && !own.some(hasColumns) && isWholeParagraph(found, words);
    return isWrapped || isProse ? sentencesOf(text, group) : linesOf(text, group);
  });
}

/** The blanks between the start of a line and its first word. */
function indentBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && INDENT.test(text[start - 1] ?? "")) start--;
  return text.slice(start, at);
}

let segmenter: Intl.Segmenter | undefined;
/** No sentence ends behind an initial, an ordinal, two letters ("Dr."), letters with stops ("e.g.", "z. B.") or three stops. */
const GOES_ON =
  /(?:^|[\s(])(?:\p{L}|\p{Lu}\p{L}|\p{N}{1,2}|(?:\p{L}{1,2}\.\s?)+\p{L}{1,2}|vs|approx|incl|resp|[Nn]os?|Prof|Inc|bzw|ggf|vgl|inkl)\.$|\.\.\.$/u;
/** A name continues behind its stop: .NET, Node.js. */
const NAME_GOES_ON = /^[\p{L}\p{N}_]/u;

/** Characters at the end of a sentence that are examined. */
const END_LENGTH = 12;
const HOLDS_WORDS = /[\p{L}\p{N}]/u;
export const FENCE = /^(?:```|~~~)/;

/** A stop in it ends no sentence: `](./file.md)`. */
const LINK_TARGET = /\]\([^()\s]{1,500}\)/g;

/** When it is doubtful whether a sentence ends, it continues. A line end ends no sentence. */
export function sentencesOf(text: string, { start, end }: Span = { start: 0, end: text.length }): Span[] {
  const flat = text
    .slice(start, end)
    .replace(/[\r\n\u2028\u2029]/g, " ")
    .replace(LINK_TARGET, (target) => target.replace(/[.?!]/g, "_"));
  const spans: Span[] = [];
  let continues = false;
  for (const { segment, index } of sentenceSegments(flat)) {
    const last = spans.at(-1);
    const stop = start + index + segment.trimEnd().length;
    const isName = flat.charAt(index - 1) === "." && NAME_GOES_ON.test(segment);
    if (last !== undefined && (continues || isName || isQuoted(text.slice(last.start, last.end), segment)))
      last.end = Math.max(last.end, stop);
    else if (segment.trim() !== "") spans.push({ start: stop - segment.trim().length, end: stop });
    if (segment.trim() !== "") continues = GOES_ON.test(segment.trimEnd().slice(-END_LENGTH));
  }
  return spans;
}

/** Where no blank stands between two sentences, the segmenter leaves "「" with the first one. */
function* sentenceSegments(text: string): Generator<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  let index = 0;
  for (const found of segmenter.segment(text)) {
    const stop = found.index + found.segment.length;
    const opening = stop === text.length ? 0 : (OPENING.exec(found.segment)?.[0].length ?? 0);
    yield { segment: text.slice(index, stop - opening), index };
    index = stop - opening;
  }
}

const OPENING = /[\p{Ps}\p{Pi}]{1,4}$/u;

/** True when no sentence ended: the next text closes a quotation, or continues in small letters behind one. */
function isQuoted(before: string, next: string): boolean {
  if (/[!?…]["'”’»)]*$/u.test(before) && /^\p{Ll}/u.test(next)) return true;
  return QUOTATION_MARKS.some(
    ([open, close]) =>
      next.includes(close) &&
      (open === close ? before.split(open).length % 2 === 0 : before.lastIndexOf(open) > before.lastIndexOf(close)),
  );
}

const QUOTATION_MARKS = [
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
] as const;

/** The lines with words. */
export function linesOf(text: string, { start, end }: Span): Span[] {
  return [...text.slice(start, end).matchAll(/\S[^\r\n]*/gu)].flatMap(({ index, 0: line }) =>
    HOLDS_WORDS.test(line) && !FENCE.test(line)
      ? [{ start: start + index, end: start + index + line.trimEnd().length }]
      : [],
  );
}
