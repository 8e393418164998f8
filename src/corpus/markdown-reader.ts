// Reads Markdown line by line and sees its blocks: a small reading that never fails, it only sees fewer kinds.
import { BlockCutter } from "./block-cutter.ts";
import type { Line } from "./lines.ts";

const FRONT_MATTER = "---";
const FENCE = /^\s{0,12}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(\s|$)/;
const HTML_HEADING = /^\s*<h([1-6])\b[^>]*>.*<\/h\1>\s*$/i;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const LIST_MARKER = /^\s*([-*+•]|\d{1,9}[.)])\s+\S/;
const INDENTED = /^( {4}|\t)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*$/;
const MARKUP = /^\s*<(!--|\/?[a-z][a-z0-9-]*([\s>/]|$))/i;
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:\s/;
const QUOTATION = /^ {0,3}>/;

export class MarkdownReader {
  readonly cutter = new BlockCutter();
  private fence: string | null = null;
  private isInFrontMatter = false;
  private isInComment = false;

  read(line: Line): void {
    if (this.readInside(line)) return;
    if (line.text.trim() === "") this.cutter.close();
    else if (!this.readOpening(line)) this.readProse(line);
  }

  /** Front matter, fenced code and comments take every line until their end. */
  private readInside(line: Line): boolean {
    if (this.isInFrontMatter) {
      this.cutter.goOn(line);
      if (line.text.trim() === FRONT_MATTER) {
        this.isInFrontMatter = false;
        this.cutter.close();
      }
      return true;
    }
    if (this.fence !== null) {
      this.cutter.goOn(line);
      if (closesFence(line.text, this.fence)) {
        this.fence = null;
        this.cutter.close();
      }
      return true;
    }
    if (!this.isInComment) return false;
    this.cutter.goOn(line);
    this.isInComment = !line.text.includes("-->");
    return true;
  }

  /** Lines that say by themselves what they are. */
  private readOpening(line: Line): boolean {
    const { cutter } = this;
    const fence = FENCE.exec(line.text)?.[1];
    const marks = HEADING.exec(line.text)?.[1] ?? "";
    const htmlLevel = HTML_HEADING.exec(line.text)?.[1];
    if (line.start === 0 && line.text.trimEnd() === FRONT_MATTER) {
      this.isInFrontMatter = true;
      cutter.begin("data", line);
    } else if (fence !== undefined) {
      this.fence = fence;
      cutter.begin("code", line);
    } else if (marks !== "") {
      cutter.heading(line, marks.length);
    } else if (htmlLevel !== undefined) {
      cutter.heading(line, Number(htmlLevel));
    } else if (cutter.isOneLineParagraph() && UNDERLINE.test(line.text)) {
      cutter.underline(line, line.text.includes("=") ? 1 : 2);
    } else if (RULE.test(line.text)) {
      cutter.close();
    } else if (TABLE_ROW.test(line.text) || TABLE_RULE.test(line.text)) {
      cutter.extend("table", line);
    } else if (LIST_MARKER.test(line.text)) {
      cutter.begin("list_item", line);
    } else if (LINK_DEFINITION.test(line.text)) {
      cutter.extend("links", line);
    } else if (QUOTATION.test(line.text)) {
      cutter.extend("quotation", line);
    } else {
      return false;
    }
    return true;
  }

  /** Lines whose meaning depends on what is open. */
  private readProse(line: Line): void {
    const { cutter } = this;
    if (cutter.isInProse() || cutter.isIn("markup")) {
      cutter.goOn(line);
    } else if (MARKUP.test(line.text)) {
      this.isInComment = line.text.includes("<!--") && !line.text.includes("-->");
      cutter.begin("markup", line);
    } else if (INDENTED.test(line.text) && !cutter.isAfter("list_item")) {
      cutter.extend("code", line);
    } else {
      // Indented text behind a list item is its next paragraph.
      cutter.begin(INDENTED.test(line.text) ? "list_item" : "paragraph", line);
    }
  }
}

function closesFence(line: string, fence: string): boolean {
  const found = FENCE.exec(line)?.[1];
  return found !== undefined && found[0] === fence[0] && found.length >= fence.length && line.trim() === found;
}
