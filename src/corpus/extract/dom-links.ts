// Finds the parts of a page that only lead elsewhere: menus, tables of contents, "see also", links to the next page.
import { HEADINGS, isElement, namesIn, type DomElement, type DomNode } from "./dom.ts";

const MIN_ITEMS = 4;
const MIN_SHARE = 0.9;
/**
 * The names of links to neighbouring pages. Source: HTML Standard, link types; `up`, `contents` and `index` are older ones.
 * Classes have such names, too: "next_page".
 */
export const WAY_ON = /(?:^|[\s_-])(next|prev|previous|up|toc|contents|index|start)(?:$|[\s_-])/i;
const MAX_LABEL_LENGTH = 20;
const MIN_SHARE_BELOW_LABEL = 0.6;
const BANNERS = new Set(["div", "header", "table", "section"]);
const MAX_SHARE_OF_BANNER = 0.9;
const MIN_SHARE_OF_BANNER = 0.5;
const MAX_LENGTH_BESIDE_MENU = 60;
/** Shorter ones are labels: "Contents of this chapter:". */
const MIN_LETTERS_OF_INTRO = 25;
const MIN_WAYS = 2;
/** Lower than for lists: next to the links are the words "Next", "Previous" and "Up". */
const MIN_SHARE_OF_WAY = 0.4;
/** The names of the index at the end of a book in DocBook and e-books. */
const INDEX = /(^|\s)index(\s|$)/;
/** Lower than for lists: before the links are the words of the index. */
const MIN_SHARE_OF_INDEX = 0.4;

/** Tables of contents and paths of pages are written with these, too. */
const BOXES = new Set(["div", "section"]);
const LISTS = new Set(["ul", "ol", "dl"]);
const BLOCKS = namesIn("p div section ul ol dl table pre blockquote");

/** The elements to leave out of the text below `root`, apart from those that are left out already. */
export function linkListsIn(root: DomElement, leftOut: ReadonlySet<DomNode> = new Set()): Set<DomNode> {
  const found = new Set<DomNode>();
  const place = { isAboveText: true, most: MAX_SHARE_OF_BANNER * root.letters, leftOut };
  collect(root, false, place, found);
  return found;
}

interface Place {
  isAboveText: boolean;
  /** The most letters of a banner. */
  most: number;
  leftOut: ReadonlySet<DomNode>;
}

/** One walk. Parts without links are not visited. */
function collect(element: DomElement, isInIndex: boolean, place: Place, found: Set<DomNode>): void {
  let before: DomElement | null = null;
  for (const child of element.children) {
    if (!isElement(child) || place.leftOut.has(child)) continue;
    const intro: DomElement | null = before;
    before = child;
    if (place.isAboveText && isBanner(child, place.most) && !isOrHolds(child, HEADINGS)) {
      found.add(child);
      continue;
    }
    if (HEADINGS.has(child.localName) || (child.links === 0 && child.letters > MAX_LENGTH_BESIDE_MENU))
      place.isAboveText = false;
    if (child.links === 0) continue;
    const name = child.localName;
    const mayBeList = LISTS.has(name) || BOXES.has(name) || name === "p" || name === "table";
    const share = isInIndex && LISTS.has(name) ? MIN_SHARE_OF_INDEX : MIN_SHARE;
    const isMenu =
      mayBeList &&
      child.links >= MIN_ITEMS &&
      (BOXES.has(name) ? isBoxOfLinks(child) : child.linkLetters >= share * child.letters);
    if (isMenu && !(LISTS.has(name) && completes(child, intro))) {
      found.add(child);
      continue;
    }
    if ((name === "p" || name === "div") && child.links >= MIN_WAYS) {
      if (isWayOn(child) || leadsToTranslations(child)) {
        found.add(child);
        continue;
      }
      addLooseWays(child, found);
    }
    collect(child, isInIndex || isIndex(child), place, found);
  }
}

/** True for a list that a sentence begins: "The pump is approved for these oils:". */
function completes(list: DomElement, intro: DomElement | null): boolean {
  if (intro === null || intro.localName !== "p" || intro.letters < MIN_LETTERS_OF_INTRO) return false;
  if (!/[:：]\s*$/.test(intro.textContent.slice(-MAX_LENGTH_BESIDE_MENU))) return false;
  return !list.all("a").some((link) => link.attribute("href").startsWith("#"));
}

/** A menu with the name of the site, above the first heading and the first paragraph. */
function isBanner({ localName, links, letters, linkLetters }: DomElement, most: number): boolean {
  if (!BANNERS.has(localName) || links < MIN_ITEMS || linkLetters < MIN_SHARE_OF_BANNER * letters) return false;
  if (letters > most) return false;
  return letters - linkLetters <= MAX_LENGTH_BESIDE_MENU;
}

function isOrHolds(element: DomElement, names: ReadonlySet<string>): boolean {
  return names.has(element.localName) || element.first(names) !== null;
}

/** True for links below each other. Links in a row may be the types of a function. */
function isColumn({ children }: DomElement): boolean {
  const blocks = children.filter(isElement).filter(({ localName, links }) => BLOCKS.has(localName) && links > 0);
  return !blocks.some(isTextBlock) && (blocks.length >= MIN_ITEMS || (blocks.length > 0 && blocks.every(isColumn)));
}

/** A word or two may be above the links: "Table of Contents". */
function isBoxOfLinks(box: DomElement): boolean {
  const { letters, linkLetters } = box;
  const isLabelled = letters - linkLetters <= MAX_LABEL_LENGTH && linkLetters >= MIN_SHARE_BELOW_LABEL * letters;
  return (isLabelled || linkLetters >= MIN_SHARE * letters) && isColumn(box);
}

function isIndex(element: DomElement): boolean {
  return INDEX.test(element.attribute("class")) || element.attribute("role") === "doc-index";
}

/** True for the line of links that Texinfo writes: "Next: Bees, Previous: Ants, Up: Top [Contents][Index]". */
function isWayOn(element: DomElement): boolean {
  if (element.children.some(isTextBlock)) return false;
  const links = element.children.filter(isLink);
  if (links.filter(leadsOn).length < MIN_WAYS) return false;
  return links.reduce((sum, link) => sum + link.letters, 0) >= MIN_SHARE_OF_WAY * element.letters;
}

/** Links in a row between other children, with only space and signs between them. */
function addLooseWays(element: DomElement, found: Set<DomNode>): void {
  let row: DomElement[] = [];
  const endRow = (): void => {
    if (row.length >= MIN_WAYS && row.filter(leadsOn).length >= MIN_WAYS) for (const link of row) found.add(link);
    row = [];
  };
  for (const child of element.children) {
    const says = isElement(child) ? child.letters > 0 : /[\p{L}\p{N}]/u.test(child.data);
    if (isLink(child)) row.push(child);
    else if (says) endRow();
  }
  endRow();
}

function isTextBlock(node: DomNode): boolean {
  return isElement(node) && BLOCKS.has(node.localName) && node.letters > node.linkLetters;
}

/** "Available languages: de | en | fr". */
function leadsToTranslations(element: DomElement): boolean {
  const links = element.children.filter(isLink);
  return (
    links.length >= MIN_WAYS &&
    links.length === element.links &&
    links.filter((link) => link.hasAttribute("hreflang")).length >= links.length / 2
  );
}

function isLink(node: DomNode): node is DomElement {
  return isElement(node) && node.localName === "a" && node.hasAttribute("href");
}

function leadsOn(link: DomElement): boolean {
  return WAY_ON.test(link.attributes["rel"] ?? link.attribute("class"));
}
