// Finds the page of a place in a document, and the headings above it, as people look for them.
import type { Anchor } from "../run/source.ts";
import { blocksOf, type Block } from "./blocks.ts";
import { documentKindOf, formatOf } from "./formats.ts";
import { headingText } from "../kernel/heading-text.ts";

/** Ends a page of a paged document's text. */
export const PAGE_END = "\f";

/** The places of one document, read once and then looked up. */
export class Anchors {
  private readonly sections: readonly Section[];
  /** Null when the document has no pages. */
  private readonly pageEnds: readonly number[] | null;

  /**
   * `path` is the document's path or origin: its name tells how to read `text`, the text taken from it. `blocks` are all
   * blocks of the text, for those who have cut it already.
   */
  constructor(text: string, path: string, blocks: Iterable<Block> = blocksOf(text, formatOf(path))) {
    this.sections = [...sectionsOf(text, blocks)];
    // Form feeds in the text of a PDF end its pages.
    this.pageEnds = documentKindOf(path) === "pdf" ? pageEndsOf(text) : null;
  }

  /** `offset` is a string offset into the text. */
  at(offset: number): Anchor | undefined {
    const section = this.sections[countUpTo(this.sections, offset, (section) => section.start) - 1]?.headings ?? [];
    const page = this.pageEnds === null ? null : 1 + countUpTo(this.pageEnds, offset - 1, (end) => end);
    if (page === null && section.length === 0) return undefined;
    return { ...(page !== null && { page }), ...(section.length > 0 && { section: [...section] }) };
  }
}

interface Section {
  start: number;
  /** Outermost first. */
  headings: readonly string[];
}

function* sectionsOf(text: string, blocks: Iterable<Block>): Generator<Section> {
  const open: { level: number; name: string }[] = [];
  for (const block of blocks) {
    if (block.kind !== "heading") continue;
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
    const name = headingText(text.slice(block.start, block.end));
    if (name !== "") open.push({ level: block.level, name });
    yield { start: block.start, headings: open.map((heading) => heading.name) };
  }
}

function pageEndsOf(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf(PAGE_END); at !== -1; at = text.indexOf(PAGE_END, at + 1)) ends.push(at);
  return ends;
}

/** How many of the sorted items begin at or before the offset. */
function countUpTo<T>(items: readonly T[], offset: number, startOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && startOf(item) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
