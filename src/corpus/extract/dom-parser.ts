// Parses HTML into the light tree from the events of htmlparser2's tokenizer. Nothing is fetched or run.
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { DomElement, INLINE, isElement, namesIn } from "./dom.ts";
import { CELL_SCOPE, CLOSED_BY, OF_TABLES, ROW_SCOPE, VOID } from "./dom-end-tags.ts";

export interface DomDocument {
  /** Holds the whole page: `html`, `head` and `body` are no elements of the tree. */
  body: DomElement;
  /** The title that the page gives to others, or else the text of the first `title`. */
  title: string;
  /** How deep the elements of the page are nested, and the sum of the depths of all of them. */
  depth: number;
  depths: number;
}

export function documentOf(html: string, { isXhtml = false } = {}): DomDocument {
  const builder = new TreeBuilder(html, isXhtml);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, builder);
  tokenizer.write(html);
  tokenizer.end();
  const { body, depth, depths } = builder;
  const shared = body.all("meta").find((meta) => meta.attribute("property") === "og:title");
  const title = shared?.attribute("content").trim() || (body.find(isTitle)?.textContent ?? "").trim();
  return { body, title, depth, depths };
}

/** The text of a deeper element goes to the last one that is allowed: recursion over a deeper tree would end the process. */
const MAX_TREE_DEPTH = 256;

const WHOLE = namesIn("html head body");
/** These only change the letters. Old pages open thousands of them and close none. */
const OF_LETTERS = namesIn("big em font i nobr small tt u");
const ATTRIBUTES_OF_LETTERS = namesIn("color face size lang title");
const FOREIGN = namesIn("svg math");
/** What these hold is no text of the page. */
const UNSEEN = namesIn("script style template noscript option textarea title");
/** A longer "link" is one that was never closed, or a whole card. */
const MAX_LINK_LETTERS = 400;

/** It opens above the text, in the middle of a sentence. */
const POPS_UP = /(^|\s)(dropdown-menu|menu|tooltip|popover)(\s|$)/;
const OPENERS = ["aria-controls", "data-target", "data-bs-target", "popovertarget", "commandfor"];

/** Drawings have titles, too. */
function isTitle({ localName, parent }: DomElement): boolean {
  return localName === "title" && parent?.localName !== "svg" && parent?.localName !== "symbol";
}

class TreeBuilder implements TokenizerCallbacks {
  readonly body = new DomElement("body", {}, null);
  depth = 0;
  depths = 0;
  private readonly html: string;
  private readonly isXhtml: boolean;
  private open = this.body;
  /** Of elements in the tree, and of those that were too deep for it. */
  private level = 0;
  private tooDeep = 0;
  private foreign = 0;
  /** Elements by their id, and by the id that they open. */
  private readonly named = new Map<string, DomElement>();
  private readonly openers = new Map<string, DomElement[]>();
  private name = "";
  private attributes: Record<string, string> | null = null;
  private attribute = "";
  private value = "";

  constructor(html: string, isXhtml: boolean) {
    this.html = html;
    this.isXhtml = isXhtml;
  }

  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = null;
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = "";
  }

  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    this.attributes ??= {};
    this.attributes[this.attribute] ??= this.value;
  }

  onopentagend(): void {
    this.begin(this.name, this.attributes ?? NO_ATTRIBUTES);
  }

  onselfclosingtag(): void {
    const isClosed = this.isXhtml || this.foreign > 0;
    this.begin(this.name, this.attributes ?? NO_ATTRIBUTES);
    if (isClosed && !VOID.has(this.name)) this.end(this.name);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    // An end tag alone begins a paragraph or a line, too.
    if (name === "br") this.begin(name, NO_ATTRIBUTES);
    else if (!this.end(name) && name === "p") {
      this.begin(name, NO_ATTRIBUTES);
      this.end(name);
    }
  }

  ontext(start: number, end: number): void {
    this.say(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.say(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.isXhtml || this.foreign > 0) this.say(this.html.slice(start, end - endOffset));
  }

  onend(): void {
    while (this.open !== this.body) this.close();
    for (const [id, openers] of this.openers) {
      const element = this.named.get(id);
      if (element !== undefined) element.openedBy = openers;
    }
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private begin(name: string, attributes: Readonly<Record<string, string>>): void {
    if (
      WHOLE.has(name) ||
      (OF_LETTERS.has(name) && Object.keys(attributes).every((key) => ATTRIBUTES_OF_LETTERS.has(key)))
    )
      return;
    const closed = CLOSED_BY.get(name);
    if (closed !== undefined && !POPS_UP.test(`${attributes["class"]} ${attributes["role"]}`))
      this.closeIn(closed.names, closed.scope);
    const isVoid = VOID.has(name);
    if (this.level >= MAX_TREE_DEPTH && !isVoid) {
      this.tooDeep++;
      this.depth = Math.max(this.depth, this.level + this.tooDeep);
      if (!INLINE.has(name)) this.say(" ");
      return;
    }
    this.depths += this.level + 1;
    const element = new DomElement(name, attributes, this.open);
    this.open.children.push(element);
    if (name === "p") this.open.holdsParagraphs = true;
    this.noteOpening(element);
    if (isVoid) return;
    this.open = element;
    this.level++;
    if (FOREIGN.has(name)) this.foreign++;
    if (this.level > this.depth) this.depth = this.level;
  }

  private noteOpening(element: DomElement): void {
    const { attributes } = element;
    if (attributes === NO_ATTRIBUTES) return;
    const { id, href } = attributes;
    if (id !== undefined) this.named.set(id, element);
    if (href?.startsWith("#") === true) this.noteTarget(href.slice(1), element);
    for (const name of OPENERS)
      for (const target of attributes[name]?.split(/\s+/) ?? []) this.noteTarget(target.replace(/^#/, ""), element);
  }

  private noteTarget(id: string, opener: DomElement): void {
    const openers = this.openers.get(id);
    if (openers === undefined) this.openers.set(id, [opener]);
    else openers.push(opener);
  }

  /** False when no such element is open. */
  private end(name: string): boolean {
    if (WHOLE.has(name)) return true;
    if (this.tooDeep > 0) {
      if (!OF_LETTERS.has(name)) this.tooDeep--;
      return true;
    }
    const scope = OF_TABLES.has(name) ? ROW_SCOPE : CELL_SCOPE;
    for (let one = this.open; one.parent !== null; one = one.parent) {
      if (one.localName === name) {
        this.closeThrough(one);
        return true;
      }
      if (scope.has(one.localName)) return false;
    }
    return false;
  }

  /** Closes the outermost open element of these names in the scope. */
  private closeIn(names: ReadonlySet<string>, scope: ReadonlySet<string>): void {
    let last: DomElement | null = null;
    for (let one = this.open; one.parent !== null; one = one.parent) {
      if (names.has(one.localName)) last = one;
      if (scope.has(one.localName)) break;
    }
    if (last !== null) this.closeThrough(last);
  }

  private closeThrough(last: DomElement): void {
    while (this.open !== last) this.close();
    this.close();
  }

  private close(): void {
    const { open } = this;
    const { parent } = open;
    if (parent === null) return;
    if (FOREIGN.has(open.localName)) this.foreign--;
    this.open = parent;
    this.level--;
    if (UNSEEN.has(open.localName) && !open.hasAttribute("shadowrootmode")) return;
    const isLink = open.localName === "a" && open.hasAttribute("href") && open.letters <= MAX_LINK_LETTERS;
    parent.length += open.length;
    parent.letters += open.letters;
    parent.links += open.links + (isLink ? 1 : 0);
    parent.linkLetters += isLink ? open.letters : open.linkLetters;
  }

  private say(text: string): void {
    const { open } = this;
    const last = open.children.at(-1);
    if (last !== undefined && !isElement(last)) last.data += text;
    else open.children.push({ localName: null, data: text });
    open.holdsText ||= /\S/.test(text);
    open.holdsWords ||= open.holdsText && /[\p{L}\p{N}]/u.test(text);
    open.length += text.length;
    open.letters += lettersIn(text);
  }
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});

/** The letters, without space, the numbers of items and the signs between them. */
function lettersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x39 ? code !== 0x7c && code !== 0xa0 && code !== 0xb7 && code !== 0x2022 : code > 0x20 && code < 0x2c)
      count++;
  }
  return count;
}
