// Reads Markdown line by line and cuts it into blocks. Any text can be read: a line of no other kind is a paragraph.
import { BlockCutter } from "./block-cutter.ts";
import { MAX_LINE_LENGTH, type Line } from "./lines.ts";
import { isTableRule } from "./table-rows.ts";

/** The part of a line of front matter before the title of the page. What begins with a mark of YAML is no plain text. */
const TITLE = /^title:\s*(?:(["'])|(?=[^\s"'>|&*!?#%@`{}[\],]))(?=.*[\p{L}\p{N}])/iu;
/** Behind three backticks a further one makes the line a paragraph with inline code, as READMEs have it. */
const FENCE = /^\s{0,12}(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(\s|$)/;
const HTML_HEADING = /^\s*<h([1-6])\b[^>]*>.*<\/h\1>\s*$/i;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const LIST_MARKER = /^\s*([-*+•]|\d{1,9}[.)])\s+\S/;
const INDENTED = /^( {4}|\t)/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const DEFINITION = /^ {0,3}:\s+(?=\S)/;
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:\s/;
const QUOTATION = /^ {0,3}>/;

/** Where no rule follows, the one at the top begins no front matter. */
const FRONT_MATTER_AROUND = /^\uFEFF?---[^\S\n]*\r?\n(?:[^\n]*\n){0,400}?(?:---|\.\.\.)[^\S\n]*\r?(?:\n|$)/;
const MAX_FRONT_MATTER = 20_000;

export class MarkdownReader {
  readonly cutter = new BlockCutter();
  private readonly hasFrontMatter: boolean;
  private fence: string | null = null;
  private isInFrontMatter = false;
  private isInComment = false;

  constructor(text: string) {
    this.hasFrontMatter = FRONT_MATTER_AROUND.test(text.slice(0, MAX_FRONT_MATTER));
  }

  read(line: Line): void {
    if (this.readInside(line)) return;
    if (line.text.trim() === "") this.cutter.close();
    else if (line.text.length > MAX_LINE_LENGTH) this.cutter.begin("paragraph", line);
    else if (!this.readOpening(line)) this.readProse(line);
  }

  /** True when the line is inside of front matter, fenced code or a comment, which take every line until their end. */
  private readInside(line: Line): boolean {
    if (this.isInFrontMatter) {
      this.readFrontMatter(line);
      return true;
    }
    if (this.fence !== null) {
      this.cutter.append(line);
      if (closesFence(line.text, this.fence)) {
        this.fence = null;
        this.cutter.close();
      }
      return true;
    }
    if (!this.isInComment) return false;
    this.cutter.append(line);
    this.isInComment = !line.text.includes("-->");
    this.closeComment(line);
    return true;
  }

  /** The title in front matter is a heading, other lines are data. */
  private readFrontMatter(line: Line): void {
    const { cutter } = this;
    const text = line.text.trimEnd();
    const [before = "", quote = ""] = TITLE.exec(text) ?? [];
    const end = quote !== "" && text.endsWith(quote) ? -1 : undefined;
    if (before === "") cutter.extend("data", line);
    else cutter.heading({ ...line, start: line.start + before.length, text: text.slice(before.length, end) }, 1);
    if (!/^(?:---|\.\.\.)$/.test(text)) return;
    this.isInFrontMatter = false;
    cutter.close();
  }

  /** A comment ends with its line, even if no blank line follows. */
  private closeComment({ text }: Line): void {
    if (text.trimEnd().endsWith("-->")) this.cutter.close();
  }

  /** True when the line by itself shows its kind. */
  private readOpening(line: Line): boolean {
    const { cutter } = this;
    const { text } = line;
    // For speed: most lines begin with a letter, and each expression is tried only behind the marks of its kind.
    const mark = text.trimStart()[0] ?? "";
    if (cutter.isIn("table") && text.includes("|")) {
      cutter.append(line);
      return true;
    }
    if (/[a-z]/i.test(mark)) return false;
    const fence = mark === "`" || mark === "~" ? FENCE.exec(text)?.[1] : undefined;
    const marks = mark === "#" ? (HEADING.exec(text)?.[1] ?? "") : "";
    const htmlLevel = mark === "<" ? HTML_HEADING.exec(text)?.[1] : undefined;
    if (line.start === 0 && this.hasFrontMatter) {
      this.isInFrontMatter = true;
      cutter.begin("data", line);
    } else if (fence !== undefined) {
      this.fence = fence;
      cutter.begin("code", line);
    } else if (marks !== "") {
      cutter.heading(line, marks.length);
    } else if (htmlLevel !== undefined) {
      cutter.heading(line, Number(htmlLevel));
    } else if ((mark === "=" || mark === "-") && cutter.isOneLineParagraph() && UNDERLINE.test(text)) {
      cutter.underline(line, text.includes("=") ? 1 : 2);
    } else if (/[-*_]/.test(mark) && RULE.test(text)) {
      cutter.close();
    } else if (/[|:-]/.test(mark) && isTableRule(text)) {
      if (!cutter.beginTable(line)) cutter.extend("table", line);
    } else if (mark === "|" && TABLE_ROW.test(text)) {
      cutter.extend("table", line);
    } else if (LIST_MARKER.test(text)) {
      cutter.begin("list_item", line);
    } else if (mark === ":" && cutter.define(line, DEFINITION.exec(text)?.[0] ?? "")) {
      return true;
    } else if (mark === "[" && LINK_DEFINITION.test(text)) {
      cutter.extend("links", line);
    } else if (mark === ">" && QUOTATION.test(text)) {
      cutter.extend("quotation", line);
    } else {
      return false;
    }
    return true;
  }

  /** Reads a line whose kind depends on the open block. */
  private readProse(line: Line): void {
    const { cutter } = this;
    if (cutter.isInProse() || cutter.isIn("markup")) {
      cutter.append(line);
    } else if (opensMarkup(line.text)) {
      this.isInComment = line.text.includes("<!--") && !line.text.includes("-->");
      cutter.begin("markup", line);
      this.closeComment(line);
    } else if (INDENTED.test(line.text) && !cutter.isAfter("list_item")) {
      cutter.extend("code", line);
    } else {
      // Indented text behind a list item is the next paragraph of the item.
      cutter.begin(INDENTED.test(line.text) ? "list_item" : "paragraph", line);
    }
  }
}

function closesFence(line: string, fence: string): boolean {
  const found = FENCE.exec(line)?.[1];
  return found !== undefined && found[0] === fence[0] && found.length >= fence.length && line.trim() === found;
}

// --- markup -------------------------------------------------------------------------------------------------------

const OPENING = /^\s*<(?:!--|\/?([a-z][a-z0-9-]*)(?:[\s>/]|$))/i;
/** Source: HTML Standard; the last line has obsolete elements, which pages still use. */
const ELEMENTS = new Set(
  (
    "a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col " +
    "colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta " +
    "meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby s samp script search " +
    "section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th " +
    "thead time title tr track u ul var video wbr acronym big center dir font frame frameset marquee nobr param strike tt"
  ).split(" "),
);

/** True for `<div>`, which is an element, and not for `<file>`, which is a placeholder. Names with capitals or hyphens are components, as of MDX. */
export function opensMarkup(line: string): boolean {
  const found = OPENING.exec(line);
  if (found === null) return false;
  const name = found[1];
  return name === undefined || /[A-Z-]/.test(name) || ELEMENTS.has(name);
}
