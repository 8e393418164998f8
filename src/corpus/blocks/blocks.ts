// Cuts a text into blocks: headings, paragraphs, list items, tables, code.
import { BlockCutter, type Block, type BlockKind } from "./block-cutter.ts";
import { delimitedBlocks, delimitedTable } from "./delimited.ts";
import type { Format } from "../formats/formats.ts";
import { namedBlocks } from "./plain-entries.ts";
import { linesOf, MAX_LINE_LENGTH, type Line } from "./lines.ts";
import { MarkdownReader } from "./markdown-reader.ts";
import { isDirective, OPTION } from "../../kernel/directives.ts";

export { PROSE_KINDS, type Block, type BlockKind } from "./block-cutter.ts";

export function blocksOf(text: string, format: Format): Generator<Block> {
  switch (format) {
    case "markdown":
      return markdownBlocks(text);
    case "plain":
      return tableBlocks(text, false) ?? namedBlocks(text, withTitle(plainBlocks(text), text));
    case "code":
      return runsOf(text, (line) => (COMMENT_LINE.test(line) ? "comment" : "code"));
    case "records":
      return tableBlocks(text, true) ?? runsOf(text, () => "data");
    case "data":
      return runsOf(text, () => "data");
  }
}

function tableBlocks(text: string, isNamed: boolean): Generator<Block> | null {
  const table = delimitedTable(text, isNamed);
  return table === null ? null : delimitedBlocks(text, table);
}

function* markdownBlocks(text: string): Generator<Block> {
  const reader = new MarkdownReader(text);
  for (const line of linesOf(text)) {
    reader.read(line);
    yield* reader.cutter.take();
  }
  reader.cutter.close();
  yield* reader.cutter.take();
}

const UNDERLINE = /^(={3,}|-{3,}|~{3,})\s*$/;
/** Any sign may underline a title in reST, if the line is as long as the title. */
const RULE = /^([!-/:-@[-`{-~])\1{2,}\s*$/;
const LIST_MARKER = /^\s*([-*+•]|\d{1,3}[.)])\s+\S/;
/** How AsciiDoc and wikis mark titles. */
const MARKED_TITLE = /^(={1,6})\s+(?=[^\s=]).*\p{L}/u;
/** A command behind the prompt of a shell is no title, even if AsciiDoc ends its block with a line that could underline it. */
const COMMAND = /^\s*[$%>]\s/;
/** A command or a comment of TeX: no title, whatever is below it. */
const TEX_LINE = /^\s*(\\[a-z@]+|%)/i;
const TEX_SOURCE =
  /^\\(document(class|style)|usepackage|RequirePackage|Provides(Package|Class|File)|begin|chapter|(sub)*section|input)\b/m;
/** Far enough for what is above the first command. */
const TEX_BEGINNING = 20_000;

function* plainBlocks(text: string): Generator<Block> {
  const cutter = new BlockCutter();
  const isTex = TEX_SOURCE.test(text.slice(0, TEX_BEGINNING));
  let isCommand = false;
  for (const line of linesOf(text)) {
    if (line.text.trim() === "") cutter.close();
    else if (line.text.length > MAX_LINE_LENGTH) cutter.begin("paragraph", line);
    else if (cutter.isOneLineParagraph() && !isCommand && isUnderline(line, cutter)) cutter.underline(line, 1);
    // The line is above a title, between paragraphs, or around a command.
    else if ((!cutter.isInProse() || isCommand) && RULE.test(line.text)) cutter.close();
    // AsciiDoc writes an anchor in the line above the title.
    else if (!isTex && (!cutter.isInProse() || cutter.isOneLineParagraph()) && MARKED_TITLE.test(line.text))
      cutter.heading(line, markedLevel(line));
    else if (isDirective(line.text) || (cutter.isIn("markup") && OPTION.test(line.text))) cutter.extend("markup", line);
    else if (LIST_MARKER.test(line.text)) cutter.begin("list_item", line);
    else if (cutter.isInProse()) cutter.append(line);
    else cutter.begin("paragraph", line);
    isCommand = COMMAND.test(line.text) || TEX_LINE.test(line.text);
    yield* cutter.take();
  }
  cutter.close();
  yield* cutter.take();
}

function markedLevel({ text }: Line): number {
  return MARKED_TITLE.exec(text)?.[1]?.length ?? 1;
}

function isUnderline(line: Line, cutter: BlockCutter): boolean {
  return UNDERLINE.test(line.text) || (RULE.test(line.text) && cutter.openLength <= line.text.trimEnd().length);
}

const MAX_TITLE_LENGTH = 200;
const ONE_LINE = /^[^\r\n]*$/;
const ENDS_IN_FULL_STOP = /[.。]["'”’»)\]」』）]*$/u;
const BLANK_LINE_AND_MORE = /^[^\S\r\n]*(\r\n|\r|\n)[^\S\r\n]*[\r\n]\s*\S/;

/** The first line of a plain text is its title if it is short, no sentence, and has a blank line below. */
function* withTitle(blocks: Generator<Block>, text: string): Generator<Block> {
  let isFirst = true;
  for (const block of blocks) {
    yield isFirst && isTitle(block, text) ? { ...block, kind: "heading", level: 1 } : block;
    isFirst = false;
  }
}

function isTitle({ kind, start, end }: Block, text: string): boolean {
  if (kind !== "paragraph" || end - start > MAX_TITLE_LENGTH) return false;
  const line = text.slice(start, end);
  return (
    ONE_LINE.test(line) &&
    !ENDS_IN_FULL_STOP.test(line) &&
    !TEX_LINE.test(line) &&
    BLANK_LINE_AND_MORE.test(text.slice(end, end + MAX_TITLE_LENGTH))
  );
}

const COMMENT_LINE = /^\s*(\/\/|#(?!!|include\b|define\b|if|else\b|endif\b|pragma\b)|--\s|;;|\*(\s|$)|\/\*)/;

/** Lines of one kind without a blank line between them are one block. */
function* runsOf(text: string, kindOf: (line: string) => BlockKind): Generator<Block> {
  const cutter = new BlockCutter();
  for (const line of linesOf(text)) {
    if (line.text.trim() === "") cutter.close();
    else cutter.extend(kindOf(line.text), line);
    yield* cutter.take();
  }
  cutter.close();
  yield* cutter.take();
}
