// Cuts the text of a passage into pieces that can be marked: sentences, rows of tables, definitions, lines of code.
import { blocksOf, type Block } from "../../corpus/blocks/blocks.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { rowsOf } from "../../corpus/blocks/table-rows.ts";
import type { Passage } from "../../ports/provider.ts";
import { endsLikeProse, hasColumns, isWholeParagraph, lineGroups } from "../../kernel/line-groups.ts";
import { sentencesOf, type Span } from "../../kernel/sentences.ts";

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

const HOLDS_WORDS = /[\p{L}\p{N}]/u;
export const FENCE = /^(?:```|~~~)/;

/** The lines with words. */
export function linesOf(text: string, { start, end }: Span): Span[] {
  return [...text.slice(start, end).matchAll(/\S[^\r\n]*/gu)].flatMap(({ index, 0: line }) =>
    HOLDS_WORDS.test(line) && !FENCE.test(line)
      ? [{ start: start + index, end: start + index + line.trimEnd().length }]
      : [],
  );
}
