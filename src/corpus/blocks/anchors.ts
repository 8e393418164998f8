// Finds the page of a place in a document, the headings above it, and the names of the columns above a row.
import { MAX_COLUMN_NAME, MAX_COLUMNS, type Anchor } from "../../run/report/source.ts";
import { blocksOf, type Block } from "./blocks.ts";
import { documentKindOf, formatOf } from "../formats/formats.ts";
import { headingText } from "../../kernel/heading-text.ts";
import { namesOf } from "./table-rows.ts";

/** The character between two pages in the text of a PDF. */
export const PAGE_END = "\f";

/** Reads the pages and headings of one document once, for any number of places. */
export class Anchors {
  private readonly sections: readonly Section[];
  private readonly tables: readonly Table[];
  /** Null when the document has no pages. */
  private readonly pageEnds: readonly number[] | null;

  /**
   * `path` is the path or origin of the document, whose name determines the format of `text`. `blocks` are all blocks of the text,
   * for a caller who has cut it already.
   */
  constructor(text: string, path: string, blocks: Iterable<Block> = blocksOf(text, formatOf(path))) {
    const all = [...blocks];
    this.sections = [...sectionsOf(text, all)];
    this.tables = all.flatMap((block) => tableOf(text, block));
    // Other texts may hold form feeds, but have no pages.
    this.pageEnds = documentKindOf(path) === "pdf" ? pageEndsOf(text) : null;
  }

  /** Undefined where there is nothing to say. `offset` is a string offset into the text. */
  at(offset: number): Anchor | undefined {
    const section = this.sections[countUpTo(this.sections, offset, (section) => section.start) - 1]?.headings ?? [];
    const page = this.pageEnds === null ? null : 1 + countUpTo(this.pageEnds, offset - 1, (end) => end);
    const table = this.tables[countUpTo(this.tables, offset, ({ start }) => start) - 1];
    const names = table !== undefined && offset >= table.rows && offset < table.end ? table.names : null;
    if (page === null && section.length === 0 && names === null) return undefined;
    return { ...(page !== null && { page }), ...(section.length > 0 && { section: [...section] }), ...names };
  }
}

interface Section {
  start: number;
  /** Outermost first. */
  headings: readonly string[];
}

/** `rows`: where those begin. A place above shows the names itself. */
interface Table {
  start: number;
  rows: number;
  end: number;
  names: Pick<Anchor, "columns" | "delimiter">;
}

function tableOf(text: string, block: Block): Table[] {
  const names = block.kind === "table" ? namesOf(text, block) : null;
  if (names === null) return [];
  const columns = names.slice(0, MAX_COLUMNS).map((name) => name.slice(0, MAX_COLUMN_NAME).toWellFormed());
  const { start, end, cells } = block;
  const rows = (cells === undefined ? start : cells.header?.start) === start ? start + 1 : start;
  return [{ start, rows, end, names: { columns, ...(cells !== undefined && { delimiter: cells.delimiter }) } }];
}

function* sectionsOf(text: string, blocks: Iterable<Block>): Generator<Section> {
  const open: { level: number; name: string }[] = [];
  let within: readonly string[] = [];
  for (const block of blocks) {
    if (block.kind !== "heading") {
      const { within: own = [] } = block;
      const isOther = own.length !== within.length || own.some((name, at) => name !== within[at]);
      if (isOther) yield { start: block.start, headings: [...open.map((heading) => heading.name), ...own] };
      within = own;
      continue;
    }
    within = [];
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

/** The number of sorted items that begin at or before the offset. */
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
