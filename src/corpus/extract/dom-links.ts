// Finds the lists of a page that only lead elsewhere: menus, tables of contents, "see also".
import type { DomElement, DomNode } from "./dom.ts";

const MIN_ITEMS = 4;
const MIN_SHARE = 0.9;

export function linkListsIn(root: DomElement): ReadonlySet<DomNode> {
  return new Set([...root.querySelectorAll("ul, ol, dl")].filter(onlyLeadsElsewhere));
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
