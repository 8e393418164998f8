// Writes a tree of HTML as plain Markdown: the text that a reader sees, with the marks of its blocks.
import { HEADINGS, INLINE, isElement, namesIn, textOf, type DomElement, type DomNode } from "./dom.ts";
import { documentOf } from "./dom-parser.ts";
import { entryListsIn } from "./dom-entries.ts";
import { keywordsIn } from "./dom-keywords.ts";
import { isNotes } from "./dom-notes.ts";
import { isUnseen, tabOf } from "./dom-seen.ts";
import { formulaOf, isFormulaPicture, LEFT_OUT, shiftedNumber, placeholderOf } from "./dom-placeholders.ts";
import { LIMITS } from "./limits.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { lineOfTable, rowsOfTable } from "./dom-table.ts";
import { typedTextsIn } from "./preformatted.ts";

const BLOCKS = namesIn(
  "address article aside body center details dialog div dl fieldset figcaption figure footer form frameset header hgroup " +
    "legend main nav noframes p search section summary caption tbody thead tfoot tr td th table template",
);
const LISTS = new Set(["ul", "ol", "menu", "dir"]);
/** Of a heading that is written once more behind each list of entries. */
const MAX_REPEATED = 300;
const DRAWN_TEXTS = new Set(["text", "foreignobject"]);

export interface TreeText {
  text: string;
  /** The text of footnotes, which belong to no section. */
  notes: string;
  /** The texts of the headings, in order. */
  headings: readonly string[];
  /** The number of words outside of links. */
  words: number;
}

/** What the readers of notes and cells share. */
interface Reading {
  leftOut: ReadonlySet<DomNode>;
  headings: string[];
  words: number;
  openLinks: number;
  /** Keywords in lines of their own, which head what follows. */
  keywords: ReadonlySet<DomNode>;
  /** Definition lists whose terms head what is said of them. */
  entryLists: ReadonlySet<DomNode>;
}

/** `leftOut`: elements that are not read. */
export function markdownOfTree(root: DomElement, leftOut: ReadonlySet<DomNode> = new Set()): TreeText {
  const [writer, notes] = [new MarkdownWriter(), new MarkdownWriter()];
  const entries = { keywords: keywordsIn(root), entryLists: entryListsIn(root) };
  const reading = { leftOut, headings: [], words: 0, openLinks: 0, ...entries };
  new TreeReader(writer, notes, reading).read(root, 0);
  return { text: writer.finish(), notes: notes.finish(), headings: reading.headings, words: reading.words };
}

class TreeReader {
  private readonly writer: MarkdownWriter;
  /** Where notes are written; null inside of notes and cells, where they stay in their place. */
  private readonly notes: MarkdownWriter | null;
  private readonly reading: Reading;
  /** What opens in the middle of a sentence. It is written behind the paragraph. */
  private tips: DomElement[] = [];
  /** The heading of the open section, or of the open entry in a list. */
  private section: { level: number; text: string } | null = null;

  constructor(writer: MarkdownWriter, notes: MarkdownWriter | null, reading: Reading) {
    this.writer = writer;
    this.notes = notes;
    this.reading = reading;
  }

  read(node: DomNode, depth: number): void {
    if (!isElement(node)) this.say(node.data);
    else if (this.reading.leftOut.has(node)) return;
    else if (node.attribute("role") === "tooltip") this.tips.push(node);
    else if (isUnseen(node)) this.readInstead(node);
    else this.readElement(node, depth);
  }

  private say(text: string): void {
    this.writer.say(text);
    if (this.reading.openLinks === 0) this.reading.words += text.match(/\S+/g)?.length ?? 0;
  }

  private readInstead(unseen: DomElement): void {
    const standIn = placeholderOf(unseen);
    if (standIn !== null) this.writer.sayInstead(standIn);
  }

  private readChildren(element: DomElement, depth: number): void {
    // Pages of people are less deep. Without a limit the recursion would end the process.
    if (depth > LIMITS.elementDepth) this.say(` ${element.textContent} `);
    else for (const child of element.children) this.read(child, depth + 1);
  }

  private readElement(element: DomElement, depth: number): void {
    const { writer, notes, reading } = this;
    const name = element.localName;
    if (notes !== null && isNotes(element)) {
      writer.endBlock();
      // Notes get one heading of their own.
      const leftOut = reading.leftOut.union(new Set<DomNode>(element.all(HEADINGS)));
      new TreeReader(notes, null, { ...reading, leftOut }).readElement(element, depth);
      notes.endBlock();
    } else if (HEADINGS.has(name)) {
      this.readHeading(element, Number(name[1]), depth);
    } else if (reading.keywords.has(element)) {
      this.readHeading(element, (this.section?.level ?? 1) + 1, depth, false);
    } else if (this.section !== null && this.section.text.length <= MAX_REPEATED && reading.entryLists.has(element)) {
      this.readEntries(element, this.section, depth);
    } else if (name === "a" && element.hasAttribute("href")) {
      reading.openLinks++;
      this.readChildren(element, depth);
      reading.openLinks--;
    } else if (name === "br") {
      writer.breakLine();
    } else if (name === "hr") {
      writer.endBlock();
    } else if (name === "pre") {
      this.readTyped(element);
    } else if (LISTS.has(name)) {
      this.readList(element, name === "ol", depth);
    } else if (name === "li") {
      writer.inListItem("-", () => this.readBlock(element, depth));
    } else if (name === "dt") {
      writer.inTerm(() => this.readChildren(element, depth));
    } else if (name === "dd") {
      writer.inDefinition(() => this.readBlock(element, depth));
    } else if (name === "blockquote") {
      writer.inQuotation(() => this.readBlock(element, depth));
    } else if (name === "table") {
      this.readTable(element, depth);
    } else if (name === "q") {
      writer.say("“");
      this.readChildren(element, depth);
      writer.say("”");
    } else if (BLOCKS.has(name) || isOwnBlock(element)) {
      writer.endBlock();
      const code = linesOfCode(element);
      if (code !== null) return writer.code(code);
      const tab = tabOf(element);
      if (tab !== null) this.readBlock(tab, depth);
      this.readBlock(element, depth);
    } else {
      this.readInline(element, depth);
    }
  }

  private readInline(element: DomElement, depth: number): void {
    const { writer } = this;
    const name = element.localName;
    const number = name === "sup" || name === "sub" ? shiftedNumber(element) : null;
    if (number !== null) this.say(number);
    else if (name === "math") this.say(formulaOf(element));
    else if (name === "script") this.say(element.textContent.trim() || LEFT_OUT.formula);
    else if (name === "svg") this.readDrawing(element);
    else if (isFormulaPicture(element)) this.say(element.attribute("alt"));
    else if (name === "iframe" && element.hasAttribute("srcdoc"))
      this.readBlock(documentOf(element.attribute("srcdoc")).body, depth);
    else if (name === "object" && element.letters > 0) this.readBlock(element, depth);
    else if (placeholderOf(element) !== null) writer.sayInstead(placeholderOf(element) ?? "");
    else this.readChildren(element, depth);
  }

  private readBlock(element: DomElement, depth: number): void {
    this.readChildren(element, depth);
    this.writer.endBlock();
    for (const tip of this.tips.splice(0)) {
      this.readElement(tip, depth);
      this.writer.endBlock();
    }
  }

  private readHeading(element: DomElement, level: number, depth: number, isSection = true): void {
    this.writer.endBlock();
    this.readChildren(element, depth);
    const heading = this.writer.endHeading(level);
    if (heading === "") return;
    this.reading.headings.push(heading);
    if (isSection) this.section = { level, text: heading };
  }

  /** The terms above one definition are one heading. What follows the list belongs to the section again. */
  private readEntries(list: DomElement, section: { level: number; text: string }, depth: number): void {
    const { writer } = this;
    const level = section.level + 1;
    writer.endBlock();
    let hasTerm = false;
    for (const child of list.children) {
      const name = isElement(child) && !this.reading.leftOut.has(child) && !isUnseen(child) ? child.localName : null;
      if (!isElement(child) || (name !== "dt" && name !== "dd")) {
        this.read(child, depth + 1);
      } else if (name === "dt") {
        if (hasTerm) writer.say(", ");
        this.readChildren(child, depth + 1);
        hasTerm = true;
      } else {
        if (hasTerm) this.section = { level, text: this.endEntryHeading(level) };
        hasTerm = false;
        this.readBlock(child, depth + 1);
      }
    }
    if (hasTerm) this.endEntryHeading(level);
    this.section = section;
    writer.resumeSection(section.level, section.text);
  }

  private endEntryHeading(level: number): string {
    const heading = this.writer.endHeading(level);
    if (heading !== "") this.reading.headings.push(heading);
    return heading;
  }

  private readDrawing(drawing: DomElement): void {
    const texts = drawnIn(drawing).map((text) => text.textContent.trim());
    const seen = texts.filter((text) => text !== "");
    if (seen.length === 0) return this.readInstead(drawing);
    this.writer.endBlock();
    this.say(seen.join(", "));
    this.writer.endBlock();
  }

  private readTyped(pre: DomElement): void {
    const { writer } = this;
    writer.endBlock();
    for (const typed of typedTextsIn(pre, (node) => isUnseen(node) || this.reading.leftOut.has(node))) {
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
    const start = Number.parseInt(list.attribute("start") || "1", 10);
    let number = Number.isNaN(start) ? 1 : start;
    writer.endBlock();
    for (const child of list.children) {
      const isItem =
        isElement(child) && child.localName === "li" && !this.reading.leftOut.has(child) && !isUnseen(child);
      if (!isItem) this.read(child, depth + 1);
      else writer.inListItem(isNumbered ? `${number++}.` : "-", () => this.readBlock(child, depth + 1));
    }
    writer.endBlock();
  }

  private readTable(table: DomElement, depth: number): void {
    const { writer, reading } = this;
    const textOfCell = (cell: DomElement): string => {
      const inside = new MarkdownWriter();
      new TreeReader(inside, null, reading).readBlock(cell, depth + 1);
      return inside.finish().replace(/\s+/g, " ").trim() || signOf(cell);
    };
    const rows = rowsOfTable(table, textOfCell);
    const caption = table.children.find((child) => isElement(child) && child.localName === "caption");
    writer.endBlock();
    if (rows === null) {
      const line = caption === undefined ? lineOfTable(table, textOfCell) : null;
      if (line === null) this.readChildren(table, depth);
      else writer.say(line);
      writer.endBlock();
      return;
    }
    if (caption !== undefined) this.read(caption, depth + 1);
    writer.table(rows);
  }
}

/** The texts that are inside no other one. */
function drawnIn({ children }: DomElement): DomElement[] {
  return children.filter(isElement).flatMap((child) => (DRAWN_TEXTS.has(child.localName) ? [child] : drawnIn(child)));
}

/** The words for a sign that is all that a cell holds: "yes". A sign next to several rows is an ornament. */
function signOf(cell: DomElement): string {
  if (cell.letters > 0 || cell.hasAttribute("rowspan")) return "";
  return cell
    .all("img")
    .map((icon) => icon.attribute("alt").trim())
    .join(" ")
    .trim();
}

/** An element that HTML does not know is a block where its neighbours are blocks. */
function isOwnBlock({ localName, parent }: DomElement): boolean {
  if (!localName.includes("-") || parent === null || INLINE.has(parent.localName) || parent.localName === "p")
    return false;
  return !parent.holdsText;
}

/** The lines of a paragraph that is one `code` with line breaks; null for any other element. */
function linesOfCode(element: DomElement): string | null {
  const code = element.localName === "p" ? element.first("code") : null;
  if (code === null || code.first("br") === null) return null;
  if (code.textContent.trim() !== element.textContent.trim()) return null;
  return codeOf(code)
    .trim()
    .replace(/ *\n */g, "\n");
}

function codeOf(node: DomNode): string {
  if (!isElement(node)) return textOf(node).replace(/\s+/g, " ");
  return node.localName === "br" ? "\n" : node.children.map(codeOf).join("");
}
