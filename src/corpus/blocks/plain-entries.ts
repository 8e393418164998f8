// Names the entries of a plain text by its indents: what is indented further below a short line belongs to the entry of that line,
// as in manual pages and in references of keywords.
import type { Block } from "./block-cutter.ts";

const MAX_NAME_LENGTH = 120;
/** Deeper ones are the lines of a program or a list. */
const MAX_DEPTH = 4;
const TAB = 8;
const ENDS_A_SENTENCE = /[.:;,!?。：]["'”’»)\]]*$/u;

/** The blocks, each with the names of the entries that it is in. The block that begins an entry is not in it. */
export function* namedBlocks(text: string, blocks: Iterable<Block>): Generator<Block> {
  const open: { indent: number; name: string }[] = [];
  for (const block of blocks) {
    const indent = indentOf(text, block.start);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    if (block.kind === "heading") open.length = 0;
    yield open.length === 0 ? block : { ...block, within: open.map(({ name }) => name) };
    const name = block.kind === "paragraph" ? nameOf(text, block) : null;
    if (name !== null && open.length < MAX_DEPTH) open.push({ indent, name });
  }
}

/** The first line of a block, if the second one is indented further or there is none; null when it is a sentence. */
export function nameOf(text: string, { start, end }: Pick<Block, "start" | "end">): string | null {
  const lineEnd = text.indexOf("\n", start);
  const stop = lineEnd === -1 || lineEnd > end ? end : lineEnd;
  if (stop - start > MAX_NAME_LENGTH) return null;
  if (stop < end && indentOf(text, firstOf(text, stop + 1)) <= indentOf(text, start)) return null;
  const name = text.slice(start, stop).trim();
  return /[\p{L}\p{N}]/u.test(name) && !ENDS_A_SENTENCE.test(name) ? name : null;
}

function firstOf(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** The columns before the first word of a line; 0 for a place inside of a line. */
export function indentOf(text: string, at: number): number {
  let start = at;
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start--;
  if (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") return 0;
  let columns = 0;
  for (let place = start; place < at; place++)
    columns = text[place] === "\t" ? columns + TAB - (columns % TAB) : columns + 1;
  return columns;
}
