// Finds elements by nothing but their names. linkedom compiles a selector for that each time it is asked, and writes the
// name of every element it passes in capitals: with Readability, which asks all the time, a quarter of what a page takes.
import { NodeList } from "linkedom";

const ELEMENT_NODE = 1;
const ONLY_NAMES = /^[a-z][a-z0-9]*(?:\s*,\s*[a-z][a-z0-9]*)*$/i;
/** A page of made-up names must not fill the memory. */
const MAX_REMEMBERED = 10_000;

/** linkedom keeps a document as one chain of nodes, in which the end of an element is a node of its own. */
interface Chained {
  readonly nodeType: number;
  readonly localName: string;
  readonly [link: symbol]: Chained;
}

interface Links {
  next: symbol;
  end: symbol;
}

/** What all elements of a kind have in common. */
interface Kind {
  querySelector(selector: string): Chained | null;
  querySelectorAll(selector: string): Chained[];
  getElementsByTagName(name: string): Chained[];
}

const capitals = new Map<string, string>();
const namesBySelector = new Map<string, ReadonlySet<string> | null>();
const hastened = new WeakSet<object>();

/** Makes the search fast in all elements and documents of the kind of this one, which has to be one of HTML. */
export function hastenNames(node: object): void {
  const links = linksOf(node);
  if (links === null) return;
  for (let kind = kindOf(node); kind !== null && !hastened.has(kind); kind = kindOf(kind)) {
    hastened.add(kind);
    if (Object.hasOwn(kind, "querySelectorAll")) hastenSearch(kind as Kind, links);
    for (const name of ["tagName", "nodeName"]) if (Object.hasOwn(kind, name)) hastenName(kind, name);
  }
}

/** Null when linkedom no longer keeps them so: then it is slow, and right. */
function linksOf(node: object): Links | null {
  const named = (name: string): symbol | undefined =>
    Object.getOwnPropertySymbols(node).find(({ description }) => description === name);
  const [next, end] = [named("next"), named("end")];
  return next === undefined || end === undefined ? null : { next, end };
}

function kindOf(object: object): object | null {
  return Object.getPrototypeOf(object) as object | null;
}

function hastenName(kind: object, name: string): void {
  const get = function (this: Chained): string {
    return capitalsOf(this.localName);
  };
  Object.defineProperty(kind, name, { configurable: true, get });
}

function hastenSearch(kind: Kind, links: Links): void {
  const { querySelector: one, querySelectorAll: all } = Object.getOwnPropertyDescriptors(kind);
  const oneBySelector = one.value as Kind["querySelector"];
  const allBySelector = all.value as Kind["querySelectorAll"];
  kind.querySelector = function (this: Kind & Chained, selector) {
    const names = namesIn(selector);
    return names === null ? oneBySelector.call(this, selector) : (elementsIn(this, names, links, false, 1)[0] ?? null);
  };
  kind.querySelectorAll = function (this: Kind & Chained, selector) {
    const names = namesIn(selector);
    return names === null ? allBySelector.call(this, selector) : elementsIn(this, names, links, false);
  };
  kind.getElementsByTagName = function (this: Kind & Chained, name) {
    return elementsIn(this, spellingsOf([name]), links, true);
  };
}

/** In their order. A selector sees nothing of what is in a template. */
function elementsIn(
  root: Chained,
  names: ReadonlySet<string>,
  { next, end }: Links,
  intoTemplates: boolean,
  limit = Number.POSITIVE_INFINITY,
): Chained[] {
  const found: Chained[] = new NodeList();
  for (let node = root[next]; node !== root[end] && node !== undefined && found.length < limit;) {
    const isElement = node.nodeType === ELEMENT_NODE;
    if (isElement && names.has(node.localName)) found.push(node);
    node = isElement && !intoTemplates && node.localName === "template" ? node[end] : node[next];
  }
  return found;
}

/** Null when the selector asks for more than names. */
function namesIn(selector: string): ReadonlySet<string> | null {
  const known = namesBySelector.get(selector);
  if (known !== undefined) return known;
  const names = ONLY_NAMES.test(selector) ? spellingsOf(selector.split(",").map((name) => name.trim())) : null;
  namesBySelector.set(selector, names);
  return names;
}

/** The parser writes names small; what Readability makes, it names in capitals. */
function spellingsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [name.toLowerCase(), name.toUpperCase()]));
}

function capitalsOf(name: string): string {
  const known = capitals.get(name);
  if (known !== undefined) return known;
  if (capitals.size >= MAX_REMEMBERED) capitals.clear();
  const written = name.toUpperCase();
  capitals.set(name, written);
  return written;
}
