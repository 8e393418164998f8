// Finds the parts of a page that only lead elsewhere: menus, tables of contents, "see also", links to the next page.
import { childrenOf, isElement, type DomElement, type DomNode } from "./dom.ts";

const MIN_ITEMS = 4;
const MIN_SHARE = 0.9;
/**
 * The names of links to neighbouring pages. Source: HTML Standard, link types; `up`, `contents` and `index` are older ones.
 * Classes have such names, too: "next_page".
 */
export const WAY_ON = /(?:^|[\s_-])(next|prev|previous|up|toc|contents|index|start)(?:$|[\s_-])/i;
const MIN_WAYS = 2;
/** Lower than for lists: beside the links stand the words "Next", "Previous" and "Up". */
const MIN_SHARE_OF_WAY = 0.4;
/** DocBook and e-books name the index of words at the end of a book so. */
const INDEXES = ".index, [role='doc-index']";
/** Lower than for lists: before the links stand the words of the index. */
const MIN_SHARE_OF_INDEX = 0.4;

/** The elements to leave out of the text below `root`. */
export function linkListsIn(root: DomElement): ReadonlySet<DomNode> {
  const lists = listsIn(root, "ul, ol, dl, p, table", MIN_SHARE);
  const indexes = [...root.querySelectorAll(INDEXES)].flatMap((index) =>
    listsIn(index, "ul, ol, dl", MIN_SHARE_OF_INDEX),
  );
  const blocks = [...root.querySelectorAll("p, div")];
  return new Set([...lists, ...indexes, ...blocks.filter(isWayOn), ...blocks.flatMap(looseWaysIn)]);
}

function listsIn(root: DomElement, names: string, share: number): DomElement[] {
  return [...root.querySelectorAll(names)].filter((list) => {
    const links = [...list.querySelectorAll("a")].filter((link) => link.hasAttribute("href"));
    return links.length >= MIN_ITEMS && sumOf(links) >= share * lengthOf(list);
  });
}

/** True for the line of links that Texinfo writes: "Next: Bees, Previous: Ants, Up: Top [Contents][Index]". */
function isWayOn(element: DomElement): boolean {
  const links = [...childrenOf(element)].filter(isLink);
  return links.filter(leadsOn).length >= MIN_WAYS && sumOf(links) >= MIN_SHARE_OF_WAY * lengthOf(element);
}

/** Links in a row between other children, with only space and signs between them. */
function looseWaysIn(element: DomElement): DomElement[] {
  const ways: DomElement[] = [];
  let row: DomElement[] = [];
  const endRow = (): void => {
    if (row.filter(leadsOn).length >= MIN_WAYS) ways.push(...row);
    row = [];
  };
  for (const child of childrenOf(element)) {
    if (isLink(child)) row.push(child);
    else if (/[\p{L}\p{N}]/u.test(child.textContent)) endRow();
  }
  endRow();
  return ways;
}

function isLink(node: DomNode): node is DomElement {
  return isElement(node) && node.localName.toLowerCase() === "a" && node.hasAttribute("href");
}

function leadsOn(link: DomElement): boolean {
  return WAY_ON.test(link.getAttribute("rel") ?? "");
}

function sumOf(links: readonly DomElement[]): number {
  return links.reduce((sum, link) => sum + lengthOf(link), 0);
}

/** The letters of the element, without the numbers of items and the signs between them. */
function lengthOf(element: DomElement): number {
  return element.textContent.replace(/[\s\d.,|·•-]+/g, "").length;
}
