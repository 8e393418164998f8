// Parses HTML into a tree, with types for the part of the DOM that is used here.
import { parseHTML } from "linkedom";

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

export interface DomNode {
  readonly nodeType: number;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly textContent: string;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  getAttribute(name: string): string | null;
  getAttributeNames(): Iterable<string>;
  setAttribute(name: string, value: string): void;
  hasAttribute(name: string): boolean;
  removeAttribute(name: string): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  append(node: DomNode): void;
  replaceWith(node: DomNode): void;
}

export interface DomDocument {
  createElement(name: string): DomElement;
  readonly documentElement: DomElement;
  readonly body: DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT_NODE;
}

export function isText(node: DomNode): boolean {
  return node.nodeType === TEXT_NODE;
}

export function* childrenOf(node: DomNode): Generator<DomNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child;
}

/** Parses a page; nothing is fetched or run. A text without `html` and `body` gets them. */
export function documentOf(html: string): DomDocument {
  const { document } = parseHTML(hasBody(html) ? html : `<html><body>${html}</body></html>`);
  if (CAPITAL_ATTRIBUTE.test(html)) for (const element of elementsBelow(document)) lowerAttributes(element);
  return document;
}

/** HTML does not tell HREF from href; the parser does. */
const CAPITAL_ATTRIBUTE = /\s[a-z-]{0,20}[A-Z][A-Za-z-]{0,20}\s{0,3}=/;

function lowerAttributes(element: DomElement): void {
  for (const name of element.getAttributeNames()) {
    const lower = name.toLowerCase();
    if (lower === name) continue;
    if (!element.hasAttribute(lower)) element.setAttribute(lower, element.getAttribute(name) ?? "");
    element.removeAttribute(name);
  }
}

/** Without recursion. */
function* elementsBelow(root: DomDocument): Generator<DomElement> {
  const open: DomNode[] = [root.documentElement];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isElement(node)) yield node;
    for (const child of childrenOf(node)) open.push(child);
  }
}

function hasBody(html: string): boolean {
  return /<html[\s>]/i.test(html) && /<body[\s>]/i.test(html);
}

/** Closes empty elements of XHTML: a parser of HTML takes `<title/>` for a title that never ends. */
export function htmlOfXhtml(xhtml: string): string {
  return xhtml.replace(
    /<([a-z][a-z0-9:]*)(?![a-z0-9:])([^<>]*)\/>/gi,
    (tag: string, name: string, attributes: string) =>
      VOID_ELEMENTS.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
  );
}

const VOID_ELEMENTS = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** The depth of nested elements, found without recursion. */
export function depthOf(root: DomNode): number {
  let deepest = 0;
  const open: { node: DomNode; depth: number }[] = [{ node: root, depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    deepest = Math.max(deepest, place.depth);
    for (const child of childrenOf(place.node))
      if (isElement(child)) open.push({ node: child, depth: place.depth + 1 });
  }
  return deepest;
}
