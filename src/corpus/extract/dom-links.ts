// Finds the parts of a page that only lead elsewhere: menus, tables of contents, "see also", the way to the next page.
import { childrenOf, isElement, type DomElement, type DomNode } from "./dom.ts";

const MIN_ITEMS = 4;
const MIN_SHARE = 0.9;
/** Source: HTML Standard, link types; `up`, `contents` and `index` are older ones. */
const WAY_ON = /^(next|prev|previous|up|contents|index|start)$/i;
const MIN_WAYS = 2;
/** "Next", "Previous" and "Up" are no links. */
const MIN_SHARE_OF_WAY = 0.4;

export function linkListsIn(root: DomElement): ReadonlySet<DomNode> {
  const lists = [...root.querySelectorAll("ul, ol, dl, p")].filter(onlyLeadsElsewhere);
  return new Set([...lists, ...[...root.querySelectorAll("p, div")].filter(isWayOn)]);
}

/** Texinfo writes the way to the next page as a paragraph: "Next: Bees, Previous: Ants, Up: Top [Contents][Index]". */
function isWayOn(element: DomElement): boolean {
  const links = [...childrenOf(element)].filter(isElement).filter((child) => child.localName.toLowerCase() === "a");
  if (links.filter((link) => WAY_ON.test(link.getAttribute("rel") ?? "")).length < MIN_WAYS) return false;
  return links.reduce((sum, link) => sum + lengthOf(link), 0) >= MIN_SHARE_OF_WAY * lengthOf(element);
}

function onlyLeadsElsewhere(list: DomElement): boolean {
  const links = [...list.querySelectorAll("a")].filter((link) => link.hasAttribute("href"));
  if (links.length < MIN_ITEMS) return false;
  const linked = links.reduce((sum, link) => sum + lengthOf(link), 0);
  return linked >= MIN_SHARE * lengthOf(list);
}

/** Numbers before the items and the space between them do not count. */
function lengthOf(element: DomElement): number {
  return element.textContent.replace(/[\s\d.,|·•-]+/g, "").length;
}
