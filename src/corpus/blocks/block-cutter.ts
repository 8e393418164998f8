// Cuts blocks out of lines: it holds the open block, and the finished ones until they are taken.
import type { Delimiter } from "../../kernel/cells.ts";
import type { Line } from "./lines.ts";

export type BlockKind =
  | "heading"
  | "paragraph"
  | "list_item"
  | "term"
  | "definition"
  | "quotation"
  | "comment"
  | "code"
  | "table"
  | "markup"
  | "links"
  | "data";

/** `start` and `end` are string offsets. A block neither begins nor ends with white space. */
export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** 1 to 6 for headings, else 0. */
  level: number;
  /** In plain text: the names of the entries that it is in, outermost first. */
  within?: readonly string[];
  /** How a table of delimited cells is cut, and where its names are; other tables are Markdown. */
  cells?: { delimiter: Delimiter; header: { start: number; end: number } | null };
}

/** The kinds whose text is sentences. */
export const PROSE_KINDS: ReadonlySet<BlockKind> = new Set([
  "paragraph",
  "list_item",
  "definition",
  "quotation",
  "comment",
]);

/** The most characters of the terms above a definition. A longer text is a paragraph. */
const MAX_TERM_LENGTH = 200;

export class BlockCutter {
  private open: Block | null = null;
  private openLines = 0;
  private lastLine: Line | null = null;
  /** Where the content above the last line ends. */
  private endAbove = 0;
  private lastKind: BlockKind | null = null;
  private done: Block[] = [];

  /** Ends the open block and begins one with this line. */
  begin(kind: BlockKind, line: Line, level = 0): void {
    this.close();
    const indent = line.text.length - line.text.trimStart().length;
    this.open = { kind, start: line.start + indent, end: contentEnd(line), level };
    this.openLines = 1;
    this.lastLine = line;
  }

  /** Adds the line to the open block of any kind. */
  append(line: Line): void {
    if (this.open === null) return;
    this.endAbove = this.open.end;
    if (line.text.trim() !== "") this.open.end = contentEnd(line);
    this.openLines++;
    this.lastLine = line;
  }

  /** Adds the line to the open block if it has this kind, else begins a block. */
  extend(kind: BlockKind, line: Line): void {
    if (this.open?.kind === kind) this.append(line);
    else this.begin(kind, line);
  }

  heading(line: Line, level: number): void {
    this.begin("heading", line, level);
    this.close();
  }

  /** Turns the open paragraph into a heading, which this line underlines. */
  underline(line: Line, level: number): void {
    if (this.open === null) return;
    this.append(line);
    this.open = { ...this.open, kind: "heading", level };
    this.close();
  }

  /** Turns the open paragraph into a term, and begins its definition, or a further one, with this line behind `mark`. */
  define(line: Line, mark: string): boolean {
    if (this.open === null || mark === "") return false;
    const isTerm = this.open.kind === "paragraph" && this.open.end - this.open.start <= MAX_TERM_LENGTH;
    if (!isTerm && this.open.kind !== "definition") return false;
    if (isTerm) this.open = { ...this.open, kind: "term" };
    this.begin("definition", line);
    this.open.start = line.start + mark.length;
    return true;
  }

  /** Turns the last line of the open paragraph into the names of a table, whose rule this line is. */
  beginTable(rule: Line): boolean {
    const { open, lastLine } = this;
    if (open?.kind !== "paragraph" || lastLine === null || !lastLine.text.includes("|")) return false;
    this.open = this.openLines === 1 ? null : { ...open, end: this.endAbove };
    this.close();
    this.begin("table", lastLine);
    this.append(rule);
    return true;
  }

  close(): void {
    if (this.open === null) return;
    this.done.push(this.open);
    this.lastKind = this.open.kind;
    this.open = null;
  }

  /** The finished blocks, each once. */
  take(): Block[] {
    const taken = this.done;
    if (taken.length > 0) this.done = [];
    return taken;
  }

  isIn(kind: BlockKind): boolean {
    return this.open?.kind === kind;
  }

  isInProse(): boolean {
    return this.open !== null && PROSE_KINDS.has(this.open.kind);
  }

  get openLength(): number {
    return this.open === null ? 0 : this.open.end - this.open.start;
  }

  isOneLineParagraph(): boolean {
    return this.open?.kind === "paragraph" && this.openLines === 1;
  }

  /** True between blocks when the last one had this kind. */
  isAfter(kind: BlockKind): boolean {
    return this.open === null && this.lastKind === kind;
  }
}

function contentEnd(line: Line): number {
  return line.start + line.text.trimEnd().length;
}
