// A light tree of HTML: names, attributes, children and texts, with the counts that distinguish menus from text.

export interface DomText {
  readonly localName: null;
  data: string;
}

export type DomNode = DomText | DomElement;

export class DomElement {
  /** In lower case, like the names of attributes. */
  readonly localName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: DomElement | null;
  readonly children: DomNode[] = [];
  /** The links and controls of the page that open the element. */
  openedBy: readonly DomElement[] = [];
  /** What is in it itself, and in no element below. */
  holdsText = false;
  holdsWords = false;
  holdsParagraphs = false;
  /** Characters that may be seen, and those of them that are neither space nor the signs and numbers of items. */
  length = 0;
  letters = 0;
  /** The links below, and their letters. */
  links = 0;
  linkLetters = 0;

  constructor(localName: string, attributes: Readonly<Record<string, string>>, parent: DomElement | null) {
    this.localName = localName;
    this.attributes = attributes;
    this.parent = parent;
  }

  /** "" where it is not set. */
  attribute(name: string): string {
    return this.attributes[name] ?? "";
  }

  hasAttribute(name: string): boolean {
    return this.attributes[name] !== undefined;
  }

  get textContent(): string {
    const [only, ...others] = this.children;
    if (only === undefined) return "";
    if (others.length === 0) return textOf(only);
    let text = "";
    for (const child of this.children) text += textOf(child);
    return text;
  }

  /** The elements below with the name, in the order of the page. */
  all(name: Name, found: DomElement[] = []): DomElement[] {
    for (const child of this.children) {
      if (!isElement(child)) continue;
      if (isNamed(child, name)) found.push(child);
      child.all(name, found);
    }
    return found;
  }

  first(name: Name): DomElement | null {
    return this.find((element) => isNamed(element, name));
  }

  /** The first element below with one of these names. */
  find(isWanted: (element: DomElement) => boolean): DomElement | null {
    for (const child of this.children) {
      if (!isElement(child)) continue;
      const found = isWanted(child) ? child : child.find(isWanted);
      if (found !== null) return found;
    }
    return null;
  }
}

/** One name, or any of several. */
type Name = string | ReadonlySet<string>;

function isNamed({ localName }: DomElement, name: Name): boolean {
  return typeof name === "string" ? localName === name : name.has(localName);
}

export function isElement(node: DomNode): node is DomElement {
  return node.localName !== null;
}

export function textOf(node: DomNode): string {
  return isElement(node) ? node.textContent : node.data;
}

/** True where more letters are inside links than outside. */
export function leadsElsewhere({ letters, linkLetters }: DomElement): boolean {
  return linkLetters > letters / 2;
}

/** Elements that are in the middle of a sentence. */
export const INLINE = namesIn(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q ruby s samp " +
    "small span strike strong sub sup time tt u var",
);
export const HEADINGS = namesIn("h1 h2 h3 h4 h5 h6");

export function namesIn(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
