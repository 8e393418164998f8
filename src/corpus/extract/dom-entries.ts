// Finds the definition lists of a reference: each term has an anchor, and what is said of some is longer than a passage. Their
// terms are headings, so that each passage of a long entry has its term above it.
import { MAX_PASSAGE_LENGTH } from "../blocks/entries.ts";
import { HEADINGS, isElement, namesIn, type DomElement, type DomNode } from "./dom.ts";

const MAX_TERM_LENGTH = 200;
const STRUCTURE = HEADINGS.union(namesIn("p ul ol dl table pre blockquote"));

/** The lists beside each other belong together, as the functions of a module. */
export function entryListsIn(root: DomElement): ReadonlySet<DomNode> {
  const groups = Map.groupBy(root.all("dl"), (list) => list.parent);
  return new Set([...groups.values()].filter(isReference).flat());
}

function isReference(lists: readonly DomElement[]): boolean {
  const parts = lists.flatMap(({ children }) => children.filter(isElement));
  const terms = parts.filter(({ localName }) => localName === "dt");
  if (terms.length === 0 || !terms.every(isAnchored)) return false;
  return parts.some(({ localName, length }) => localName === "dd" && length > MAX_PASSAGE_LENGTH);
}

function isAnchored(term: DomElement): boolean {
  if (term.length === 0 || term.length > MAX_TERM_LENGTH || term.first(STRUCTURE) !== null) return false;
  return hasName(term) || term.find(hasName) !== null;
}

function hasName(element: DomElement): boolean {
  return element.attribute("id") !== "" || (element.localName === "a" && element.attribute("name") !== "");
}
