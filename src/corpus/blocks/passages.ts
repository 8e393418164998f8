// Cuts a document into passages: neighbouring blocks under one heading, up to a length. A row of a table is a passage, and
// so is a term with its definition. No other entry is cut where it fits into a passage.
import { blocksOf, type Block } from "./blocks.ts";
import type { Format } from "../formats/formats.ts";
import { headingText } from "../../kernel/heading-text.ts";
import { MAX_PASSAGE_LENGTH, unitsOf } from "./entries.ts";
import { indentOf, nameOf } from "./plain-entries.ts";
import { rowsOf } from "./table-rows.ts";

/** `start` and `end` are string offsets. */
interface TextPassage {
  start: number;
  end: number;
  /** The headings above, outermost first. */
  headings: string[];
  /** The level of the outermost heading, 1 to 6; 0 without one. */
  level: number;
  /** The beginning of the column names, for a row of a table. */
  columns?: string;
}

/** A generator, so that the caller can pause between the passages of a long document. */
export function* passagesOf(text: string, format: Format): Generator<TextPassage> {
  const path = new HeadingPath();
  let open: TextPassage | null = null;
  let termEnd = -1;
  for (const unit of unitsOf(text, blocksOf(text, format), format === "plain")) {
    const { block, end, isOwn } = unit;
    if (block.kind === "heading") {
      if (open !== null) yield open;
      open = null;
      const lonely = path.enter(block, headingText(text.slice(block.start, block.end)));
      if (lonely !== null) yield* pieces(text, lonely);
      continue;
    }
    if (isUnseen(text, block, format)) {
      if (open !== null) yield open;
      open = null;
      continue;
    }
    path.fill();
    if (block.kind === "table") {
      if (open !== null) yield open;
      open = null;
      for (const row of rowsOf(text, block)) yield* pieces(text, { ...row, ...path.place() });
      continue;
    }
    if (block.kind === "term") termEnd = end;
    if (open !== null && !isOwn && end - open.start <= MAX_PASSAGE_LENGTH) {
      open.end = end;
      continue;
    }
    // A long definition stays with its term, and the two are cut together.
    const isTermOpen = open !== null && open.end === termEnd;
    if (open !== null && !isTermOpen) yield open;
    const start = isTermOpen ? (open?.start ?? block.start) : block.start;
    open = null;
    const { headings, level } = path.place();
    const passage: TextPassage = { start, end, headings: [...headings, ...(block.within ?? [])], level };
    if (end - start <= MAX_PASSAGE_LENGTH) open = passage;
    else yield* pieces(text, passage, isOwn && format === "plain" ? nameOf(text, block) : null);
  }
  if (open !== null) yield open;
  const lonely = path.leave();
  if (lonely !== null) yield* pieces(text, lonely);
}

/** Readers of Markdown do not see comments, and front matter is for programs. */
function isUnseen(text: string, block: Block, format: Format): boolean {
  return (block.kind === "markup" && isComment(text, block)) || (block.kind === "data" && format === "markdown");
}

function isComment(text: string, { start, end }: Block): boolean {
  return text.startsWith("<!--", start) && text.endsWith("-->", end);
}

/** Keeps the headings above the current place. A heading with nothing below it becomes a passage. */
class HeadingPath {
  private readonly open: { level: number; name: string }[] = [];
  private unfilled: TextPassage | null = null;
  private unfilledLevel = 0;

  /** Returns the heading before this one if nothing was below it. */
  enter(block: Block, name: string): TextPassage | null {
    const isDeeper = this.unfilled !== null && block.level > this.unfilledLevel;
    const lonely = isDeeper ? null : this.leave();
    while ((this.open.at(-1)?.level ?? 0) >= block.level) this.open.pop();
    if (name !== "") this.open.push({ level: block.level, name });
    this.unfilled = { start: block.start, end: block.end, ...this.place() };
    this.unfilledLevel = block.level;
    return lonely;
  }

  fill(): void {
    this.unfilled = null;
  }

  leave(): TextPassage | null {
    const left = this.unfilled;
    this.unfilled = null;
    return left;
  }

  place(): Pick<TextPassage, "headings" | "level"> {
    return { headings: this.open.map((heading) => heading.name), level: this.open[0]?.level ?? 0 };
  }
}

/** Cuts a long passage at line ends, else at white space, else between two characters. `name`: of the entry that begins in the first piece. */
function* pieces(text: string, passage: TextPassage, name: string | null = null): Generator<TextPassage> {
  let { start, headings } = passage;
  while (passage.end - start > MAX_PASSAGE_LENGTH) {
    const end = cutBefore(text, start, start + MAX_PASSAGE_LENGTH);
    yield { ...passage, headings, start, end };
    start = end;
    while (start < passage.end && isSpace(text, start)) start++;
    const isBelow = indentOf(text, start) > indentOf(text, passage.start);
    headings = name !== null && isBelow ? [...passage.headings, name] : passage.headings;
  }
  if (start < passage.end) yield { ...passage, headings, start };
}

function cutBefore(text: string, start: number, limit: number): number {
  const earliest = start + MAX_PASSAGE_LENGTH / 2;
  for (let at = limit; at > earliest; at--) if (text.charCodeAt(at) === LF) return at;
  for (let at = limit; at > earliest; at--) if (isSpace(text, at)) return at;
  const isInsidePair = (text.charCodeAt(limit) & 0xfc00) === 0xdc00;
  return isInsidePair ? limit - 1 : limit;
}

const LF = 0x0a;

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000;
}
