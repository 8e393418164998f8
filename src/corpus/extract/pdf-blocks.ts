// Joins the lines of a PDF into blocks: headings, paragraphs, list items, tables, code.
import { columnsOf } from "./pdf-columns.ts";
import type { Fragment } from "./pdf-fragments.ts";
import { headingLevels, type Bookmark, type HeadingRules } from "./pdf-headings.ts";
import { lineOf, rowsOf, type Line } from "./pdf-lines.ts";
import { tableRowsOf } from "./pdf-tables.ts";
import { ADDRESS_GOES_ON } from "./pdf-words.ts";

export interface PdfBlock {
  kind: "heading" | "paragraph" | "item" | "table" | "code";
  lines: Line[];
  /** 2 to 6 for headings, else 0. */
  level: number;
  rows?: string[][];
  /** Its column ends in the middle of it. */
  isCutOff: boolean;
  /** It begins a column without an indent, so it may be the rest of a block that was cut off. */
  mayContinue: boolean;
  /** Its letters are smaller than those of the text, as in notes and captions. */
  isSmall: boolean;
}

// Lengths are in heights of the letters (indents and the pitch of headings), in pitches of the column (the gap of paragraphs),
// or a share: of the size of letters, or of the width of the column.
const INDENT = 0.8;
const MAX_INDENT = 6;
const PARAGRAPH_GAP = 1.3;
/** Two headings of one level that are further apart are two. The pitch of a column of few lines means nothing. */
const HEADING_PITCH = 1.7;
const OTHER_SIZE = 0.08;
const SHORT_LINE = 0.2;
const FULL_LINE = 0.08;
const BULLET = /^([∗†‡§•◦▪■●○‣∙·*–—-]|\(?\d{1,3}[.)]|\(?[a-z]\)|\[\d{1,3}\])\s+\S/;
/** A line of a table of contents: dots lead to the number of a page. */
const CONTENTS_LINE = /((\s?\.){5,}|(\s\.){3,})\s*(\d+|[ivxlc]+)$/i;
const SENTENCE_END = /[.!?:;。！？…][)\]"'”’»]*$/;

/** `outline` has the bookmarks with their depth from 0. `title` is the largest text of the first page; "" when none stands out. */
export function blocksOfDocument(
  pages: readonly Fragment[][],
  outline: readonly Bookmark[],
): { blocks: PdfBlock[]; title: string } {
  const columns = pages.map((page, number) =>
    columnsOf(page).map((fragments) => rowsOf(fragments).map((row) => lineOf(row, number))),
  );
  const read = columns.map((page) => page.map(withoutContents));
  const lines = read.flat(2);
  const rules = headingLevels(lines, outline);
  const blocks = read.flatMap((page, number) =>
    page.every(({ length }) => length === 0)
      ? contentsOf(columns[number]?.[0]?.[0])
      : page.flatMap((column) => new ColumnReader(column, rules).read()),
  );
  return {
    blocks: withWholeParagraphs(blocks),
    title: rules.titleOf(lines.filter(({ page }) => page === lines[0]?.page)),
  };
}

/** What stands for a page that is nothing but a table of contents: it has a text, which is left out. */
function contentsOf(line: Line | undefined): PdfBlock[] {
  if (line === undefined) return [];
  const lines = [{ ...line, text: "[table of contents]" }];
  return [{ kind: "paragraph", lines, level: 0, isCutOff: false, mayContinue: false, isSmall: false }];
}

function withoutContents(lines: readonly Line[]): Line[] {
  return lines.filter(({ text }) => !CONTENTS_LINE.test(text));
}

/**
 * Joins a paragraph that the end of a column or page cut in two. Notes below its first part go before it, and captions and
 * tables above its second part go behind it, so that each stays on its page.
 */
function withWholeParagraphs(blocks: readonly PdfBlock[]): PdfBlock[] {
  const whole: PdfBlock[] = [];
  for (const block of blocks) {
    const at = block.mayContinue && !block.isSmall && block.kind === "paragraph" ? beginningOf(whole, block) : -1;
    const begun = whole[at];
    if (begun === undefined) {
      whole.push(block);
      continue;
    }
    const isNote = (one: PdfBlock): boolean => pagesOf(one).first === pagesOf(begun).last;
    const notes = whole.slice(at + 1).filter(isNote);
    // A note before a paragraph that comes from an earlier page would be on that page.
    if (notes.length > 0 && pagesOf(begun).first < pagesOf(begun).last) {
      whole.push(block);
      continue;
    }
    const others = whole.splice(at + 1).filter((one) => !isNote(one));
    for (const line of block.lines) begun.lines.push(line);
    begun.isCutOff = block.isCutOff;
    whole.splice(at, 1, ...notes, begun, ...others);
  }
  return whole;
}

/** The index of the first part, or -1. Only notes, captions and tables may be between the parts, and at most one page end. */
function beginningOf(blocks: readonly PdfBlock[], rest: PdfBlock): number {
  const at = blocks.findLastIndex((block) => !block.isSmall && block.kind !== "table");
  const begun = blocks[at];
  return begun?.isCutOff === true && pagesOf(begun).last >= pagesOf(rest).first - 1 ? at : -1;
}

export function pagesOf({ lines }: PdfBlock): { first: number; last: number } {
  return { first: lines[0]?.page ?? 0, last: lines.at(-1)?.page ?? 0 };
}

class ColumnReader {
  private readonly lines: readonly Line[];
  private readonly rules: HeadingRules;
  private readonly left: number;
  private readonly right: number;
  private readonly pitch: number;
  private readonly blocks: PdfBlock[] = [];

  constructor(lines: readonly Line[], rules: HeadingRules) {
    this.lines = lines;
    this.rules = rules;
    this.left = usualOf(
      lines.map((line) => line.x),
      2,
    );
    this.right = Math.max(...lines.map((line) => line.right));
    this.pitch = usualOf(
      lines.flatMap((line, at) => pitchBefore(line, lines[at - 1])),
      1,
    );
  }

  read(): PdfBlock[] {
    for (let at = 0; at < this.lines.length;) {
      const table = tableRowsOf(this.lines, at, this.rules.bodySize);
      if (table !== null) {
        this.open("table", this.lines.slice(at, at + table.lines), 0).rows = table.rows;
        at += table.lines;
      } else {
        this.readLine(at++);
      }
    }
    // Notes are below the text. So the last block that is no note may continue in the next column.
    const last = this.blocks.findLast((block) => !block.isSmall);
    const line = last?.lines.at(-1);
    if (last !== undefined && line !== undefined && (last.kind === "paragraph" || last.kind === "item")) {
      const isFull = line.right > this.right - FULL_LINE * (this.right - this.left);
      last.isCutOff = !SENTENCE_END.test(line.text) && (isFull || /[-\u00AD]$/.test(line.text));
    }
    return this.blocks;
  }

  private readLine(at: number): void {
    const line = this.lines[at] as Line;
    const before = this.lines[at - 1];
    const last = this.blocks.at(-1);
    const level = this.rules.levelOf(line, { before, after: this.lines[at + 1], pitch: this.pitch, right: this.right });
    const isCode = this.rules.isCode(line) && !this.isInline(line, before, last);
    const kind = level > 0 ? "heading" : isCode ? "code" : BULLET.test(line.text) ? "item" : "paragraph";
    if (last !== undefined && before !== undefined && this.isContinuation(last, before, line, kind, level))
      last.lines.push(line);
    else this.open(kind, [line], level);
  }

  private open(kind: PdfBlock["kind"], lines: readonly Line[], level: number): PdfBlock {
    const [line] = lines;
    const isFirst = this.blocks.length === 0;
    const size = line?.size ?? 0;
    const block: PdfBlock = {
      kind,
      lines: [...lines],
      level,
      isCutOff: false,
      mayContinue: isFirst && kind === "paragraph" && (line?.x ?? 0) < this.left + INDENT * size,
      isSmall: size < (1 - OTHER_SIZE) * this.rules.bodySize,
    };
    this.blocks.push(block);
    return block;
  }

  private isContinuation(last: PdfBlock, before: Line, line: Line, kind: PdfBlock["kind"], level: number): boolean {
    const gap = line.y - before.y;
    const isNear = gap <= PARAGRAPH_GAP * Math.max(this.pitch, 1.1 * line.size);
    if (last.kind === "code" || kind === "code") return last.kind === kind && gap < 4 * line.size;
    if (last.kind === "heading" || kind === "heading") {
      return last.kind === kind && last.level === level && isNear && gap < HEADING_PITCH * line.size;
    }
    if (!isNear || kind === "item" || Math.abs(line.size - before.size) > OTHER_SIZE * before.size) return false;
    const first = last.lines[0] as Line;
    if (last.kind === "item") return line.x > first.x + 0.3 * line.size || !this.isShort(before);
    if (last.kind === "table") return false;
    return !this.isIndented(line, before) && !(this.isShort(before) && SENTENCE_END.test(before.text));
  }

  /** True for a line of a paragraph that happens to be all code. */
  private isInline(line: Line, before: Line | undefined, last: PdfBlock | undefined): boolean {
    if (before === undefined || last === undefined || last.kind === "code" || last.kind === "heading") return false;
    const isNear = line.y - before.y < 1.1 * this.pitch;
    return (
      isNear &&
      line.x < before.x + INDENT * line.size &&
      !this.isShort(before) &&
      (!/[.:]$/.test(before.text) || ADDRESS_GOES_ON.test(before.text))
    );
  }

  private isIndented(line: Line, before: Line): boolean {
    const indent = line.x - before.x;
    return indent > INDENT * line.size && indent < MAX_INDENT * line.size && line.x > this.left + INDENT * line.size;
  }

  private isShort(line: Line): boolean {
    return line.right < this.right - SHORT_LINE * (this.right - this.left);
  }
}

function pitchBefore(line: Line, before: Line | undefined): number[] {
  if (before === undefined || Math.abs(before.size - line.size) > OTHER_SIZE * line.size) return [];
  const gap = line.y - before.y;
  return gap < 3 * line.size ? [gap] : [];
}

/** The most frequent value, rounded to `step`; the smallest if several are. */
function usualOf(values: readonly number[], step: number): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(Math.round(value / step), (counts.get(Math.round(value / step)) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const usual = [...counts].filter(([, count]) => count === most).map(([value]) => value);
  return usual.length === 0 ? 0 : Math.min(...usual) * step;
}
