// Writes a tree of HTML as plain Markdown: the text that a reader sees, with the marks of its blocks.
import { childrenOf, isElement, isText, type DomElement, type DomNode } from "./dom.ts";
import { LIMITS } from "./limits.ts";
import { headingsIn, isNotes, NOTE_LINK } from "./dom-notes.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { lineOfTable, rowsOfTable } from "./dom-table.ts";
import { typedTextsIn } from "./preformatted.ts";

const UNSEEN = new Set(
  (
    "script style noscript template iframe object embed svg canvas audio video map head title meta link " +
    "button input select textarea datalist dialog nav rt rp annotation annotation-xml"
  ).split(" "),
);
const BLOCKS = new Set(
  (
    "address article aside body center details div dl fieldset figcaption figure footer form header hgroup html " +
    "legend main menu p section summary caption tbody thead tfoot tr td th table"
  ).split(" "),
);
/** The texts of links to a heading itself or back from a note, which people do not read. */
const LINK_MARKS = /^(?:[\s¶#§\u{1F517}↑↩⏎^]|\uFE0E|\uFE0F)*$/u;
const NOTE_MARK = /^\s*\[?(\d{1,4}|[a-z]|[*†‡])\]?\s*$/i;

export interface TreeText {
  text: string;
  /** The text of footnotes, which belong to no section. */
  notes: string;
  /** The texts of the headings, in order. */
  headings: readonly string[];
  /** The number of words outside of links. */
  words: number;
}

/** Counts over the whole tree, which the readers of notes and cells share. */
interface Seen {
  headings: string[];
  words: number;
  openLinks: number;
}

/** Elements of `leftOut` are not read. */
export function markdownOfTree(root: DomNode, leftOut: ReadonlySet<DomNode> = new Set()): TreeText {
  const [writer, notes] = [new MarkdownWriter(), new MarkdownWriter()];
  const seen: Seen = { headings: [], words: 0, openLinks: 0 };
  new TreeReader(writer, leftOut, notes, seen).read(root, 0);
  return { text: writer.finish(), notes: notes.finish(), headings: seen.headings, words: seen.words };
}

class TreeReader {
  private readonly writer: MarkdownWriter;
  private readonly leftOut: ReadonlySet<DomNode>;
  /** Where notes are written; null inside of notes and cells, where they stay in their place. */
  private readonly notes: MarkdownWriter | null;
  private readonly seen: Seen;

  constructor(writer: MarkdownWriter, leftOut: ReadonlySet<DomNode>, notes: MarkdownWriter | null, seen: Seen) {
    this.writer = writer;
    this.leftOut = leftOut;
    this.notes = notes;
    this.seen = seen;
  }

  read(node: DomNode, depth: number): void {
    if (isText(node)) this.say(node.textContent);
    else if (!isElement(node)) for (const child of childrenOf(node)) this.read(child, depth);
    else if (!isUnseen(node) && !this.leftOut.has(node)) this.readElement(node, depth);
  }

  private say(text: string): void {
    this.writer.say(text);
    if (this.seen.openLinks === 0) this.seen.words += text.match(/\S+/g)?.length ?? 0;
  }

  private readChildren(element: DomElement, depth: number): void {
    // Pages of people are less deep. Without a limit the recursion would end the process.
    if (depth > LIMITS.elementDepth) this.say(` ${element.textContent} `);
    else for (const child of childrenOf(element)) this.read(child, depth + 1);
  }

  private readElement(element: DomElement, depth: number): void {
    const { writer, notes } = this;
    const name = element.localName.toLowerCase();
    if (notes !== null && isNotes(element)) {
      writer.endBlock();
      // Notes get one heading of their own.
      const headings = headingsIn(element);
      const leftOut = headings.length === 0 ? this.leftOut : this.leftOut.union(new Set(headings));
      new TreeReader(notes, leftOut, null, this.seen).readElement(element, depth);
      notes.endBlock();
    } else if (/^h[1-6]$/.test(name)) {
      writer.endBlock();
      this.readChildren(element, depth);
      const heading = writer.endHeading(Number(name[1]));
      if (heading !== "") this.seen.headings.push(heading);
    } else if (name === "a" && element.hasAttribute("href")) {
      this.seen.openLinks++;
      this.readChildren(element, depth);
      this.seen.openLinks--;
    } else if (name === "br") {
      writer.breakLine();
    } else if (name === "hr") {
      writer.endBlock();
    } else if (name === "pre") {
      this.readTyped(element);
    } else if (name === "ul" || name === "ol") {
      this.readList(element, name === "ol", depth);
    } else if (name === "dt") {
      writer.inTerm(() => this.readChildren(element, depth));
    } else if (name === "dd") {
      writer.inDefinition(() => this.readChildren(element, depth));
    } else if (name === "blockquote") {
      writer.inQuotation(() => this.readChildren(element, depth));
    } else if (name === "table") {
      this.readTable(element, depth);
    } else if (name === "q") {
      writer.say("“");
      this.readChildren(element, depth);
      writer.say("”");
    } else if (BLOCKS.has(name)) {
      writer.endBlock();
      const code = linesOfCode(element);
      if (code !== null) return writer.code(code);
      this.readChildren(element, depth);
      writer.endBlock();
    } else {
      this.readChildren(element, depth);
    }
  }

  private readTyped(pre: DomElement): void {
    const { writer } = this;
    writer.endBlock();
    for (const typed of typedTextsIn(pre, (node) => isUnseen(node) || this.leftOut.has(node))) {
      if (typed.kind === "code") writer.code(typed.text);
      else if (typed.kind === "item") writer.inListItem("-", () => this.say(typed.text));
      else if (typed.kind === "term") {
        for (const term of typed.terms) writer.inTerm(() => this.say(term));
        writer.inDefinition(() => this.say(typed.text));
      } else {
        this.say(typed.text);
        writer.endBlock();
      }
    }
  }

  private readList(list: DomElement, isNumbered: boolean, depth: number): void {
    const { writer } = this;
    const start = Number.parseInt(list.getAttribute("start") ?? "1", 10);
    let number = Number.isNaN(start) ? 1 : start;
    writer.endBlock();
    for (const child of childrenOf(list)) {
      if (!isElement(child) || child.localName.toLowerCase() !== "li") this.read(child, depth + 1);
      else writer.inListItem(isNumbered ? `${number++}.` : "-", () => this.readChildren(child, depth + 1));
    }
    writer.endBlock();
  }

  private readTable(table: DomElement, depth: number): void {
    const { writer } = this;
    const textOf = (cell: DomElement): string => {
      const inside = new MarkdownWriter();
      new TreeReader(inside, this.leftOut, null, this.seen).readChildren(cell, depth + 1);
      return inside.finish().replace(/\s+/g, " ").trim();
    };
    const rows = rowsOfTable(table, textOf);
    const caption = table.querySelector("caption");
    writer.endBlock();
    if (rows === null) {
      const line = caption === null ? lineOfTable(table, textOf) : null;
      if (line === null) this.readChildren(table, depth);
      else writer.say(line);
      writer.endBlock();
      return;
    }
    if (caption !== null) {
      this.readChildren(caption, depth + 1);
      writer.endBlock();
    }
    writer.table(rows);
  }
}

/** The lines of a paragraph that is one `code` with line breaks; null for any other element. */
function linesOfCode(element: DomElement): string | null {
  const code = element.localName.toLowerCase() === "p" ? element.querySelector("code") : null;
  if (code === null || code.querySelector("br") === null) return null;
  if (code.textContent.trim() !== element.textContent.trim()) return null;
  return codeOf(code)
    .trim()
    .replace(/ *\n */g, "\n");
}

function codeOf(node: DomNode): string {
  if (isText(node)) return node.textContent.replace(/\s+/g, " ");
  if (isElement(node) && node.localName.toLowerCase() === "br") return "\n";
  return [...childrenOf(node)].map(codeOf).join("");
}

/** True for menus and tooltips, which show only on demand. */
function opensOnDemand(element: DomElement): boolean {
  const role = element.getAttribute("role");
  return role === "menu" || role === "tooltip" || /(^|\s)dropdown-menu(\s|$)/.test(element.getAttribute("class") ?? "");
}

function isUnseen(element: DomElement): boolean {
  const name = element.localName.toLowerCase();
  if (UNSEEN.has(name) || element.hasAttribute("hidden") || opensOnDemand(element)) return true;
  if (/display\s*:\s*none/i.test(element.getAttribute("style") ?? "")) return true;
  if (name === "sup") return isNoteMark(element, element.querySelector("a"));
  if (name !== "a" || element.firstChild === null) return false;
  return LINK_MARKS.test(element.textContent) || (isNoteMark(element, element) && NOTE_LINK.test(kindOf(element)));
}

/** True for the number that leads to a note, which is no part of the sentence. */
function isNoteMark(element: DomElement, link: DomElement | null): boolean {
  return /#/.test(link?.getAttribute("href") ?? "") && NOTE_MARK.test(element.textContent);
}

function kindOf(element: DomElement): string {
  return ["class", "role", "epub:type"].map((name) => element.getAttribute(name) ?? "").join(" ");
}
