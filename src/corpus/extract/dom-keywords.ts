// Finds keywords that are in lines of their own, each with an anchor: they are the headings of a reference's entries.
import { isElement, namesIn, type DomElement, type DomNode } from "./dom.ts";

const LINES = new Set(["div", "p"]);
const ANCHORS = new Set(["a", "b", "code", "span", "strong"]);
const STRUCTURE = namesIn("div p ul ol dl table pre blockquote h1 h2 h3 h4 h5 h6 hr br img");
const MAX_LENGTH = 200;
/** With fewer the page has no reference. */
const MIN_KEYWORDS = 10;

export function keywordsIn(root: DomElement): ReadonlySet<DomNode> {
  const found = Map.groupBy(root.all(LINES).filter(isKeyword), (line) => line.attribute("class"));
  return new Set([...found.values()].filter((lines) => lines.length >= MIN_KEYWORDS).flat());
}

/** The anchor is called as the first word. */
function isKeyword(line: DomElement): boolean {
  if (line.length === 0 || line.length > MAX_LENGTH || line.children.length > MAX_LENGTH) return false;
  if (line.first(STRUCTURE) !== null) return false;
  const text = line.textContent.trim();
  return (
    line.all(ANCHORS).some((anchor) => {
      const name = anchor.attribute("name") || anchor.attribute("id");
      return name !== "" && text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length));
    }) && firstIsMarked(line)
  );
}

/** The line begins with an element: words before a keyword would be a sentence about it. */
function firstIsMarked({ children }: DomElement): boolean {
  const first = children.find((child) => isElement(child) || child.data.trim() !== "");
  return first !== undefined && isElement(first);
}
