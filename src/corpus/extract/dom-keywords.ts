// Finds keywords that are in lines of their own, each with an anchor: they are the headings of a reference's entries.
import { isElement, namesIn, type DomElement, type DomNode } from "./dom.ts";

const LINES = new Set(["div", "p"]);
const ANCHORS = new Set(["a", "b", "code", "span", "strong", "tt", "var"]);
const STRUCTURE = namesIn("div p ul ol dl table pre blockquote h1 h2 h3 h4 h5 h6 hr br img");
const MAX_LENGTH = 200;
/** With fewer the page has no reference. */
const MIN_KEYWORDS = 10;
/** Of captions ("Figure 1", "Figure 2") all begin with the same word. */
const FIRST_WORD = /[\p{L}\p{N}][\p{L}\p{N}_-]*/u;

export function keywordsIn(root: DomElement): ReadonlySet<DomNode> {
  const lines = root.all(LINES).filter(mayBeKeyword);
  const { before, behind } = neighboursOf(lines);
  const kinds = Map.groupBy(
    lines.filter((line) => isNamed(line, before.get(line))),
    (line) => line.attribute("class"),
  );
  return new Set([...kinds.values()].filter((kind) => isReference(kind, behind)).flat());
}

/** Below the lines of a reference there is text; those of a table of contents are below each other. */
function isReference(lines: readonly DomElement[], behind: Neighbours): boolean {
  const all = new Set(lines);
  const entries = lines.filter((line) => {
    const next = behind.get(line);
    return next === undefined || !all.has(next);
  });
  return new Set(entries.map(firstWordOf)).size >= MIN_KEYWORDS;
}

function mayBeKeyword(line: DomElement): boolean {
  if (line.length === 0 || line.length > MAX_LENGTH || line.children.length > MAX_LENGTH) return false;
  return line.first(STRUCTURE) === null && firstIsMarked(line);
}

/** The anchor is called as the first word, or has it behind the name of its kind: "opt-balance". */
function isNamed(line: DomElement, before: DomElement | undefined): boolean {
  const text = line.textContent.trim();
  const word = firstWordOf(line);
  return anchorsAt(line, before).some(
    (name) =>
      (text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length))) ||
      (word !== "" && name.toLowerCase().endsWith(word) && !/[\p{L}\p{N}]$/u.test(name.slice(0, -word.length))),
  );
}

/** The names of the line, of what is in it, and of an empty anchor before it. */
function anchorsAt(line: DomElement, before: DomElement | undefined): string[] {
  const isAnchor = before !== undefined && ANCHORS.has(before.localName) && before.length === 0;
  const named = [line, ...line.all(ANCHORS), ...(isAnchor ? [before] : [])];
  return named.map((anchor) => anchor.attribute("name") || anchor.attribute("id")).filter((name) => name !== "");
}

type Neighbours = ReadonlyMap<DomElement, DomElement>;

/** The elements before and behind each line, with nothing but space between. */
function neighboursOf(lines: readonly DomElement[]): { before: Neighbours; behind: Neighbours } {
  const [before, behind] = [new Map<DomElement, DomElement>(), new Map<DomElement, DomElement>()];
  for (const parent of new Set(lines.map((line) => line.parent))) {
    let last: DomElement | null = null;
    for (const child of parent?.children ?? []) {
      if (isElement(child)) {
        if (last !== null) before.set(child, last);
        if (last !== null) behind.set(last, child);
        last = child;
      } else if (child.data.trim() !== "") last = null;
    }
  }
  return { before, behind };
}

function firstWordOf(line: DomElement): string {
  return FIRST_WORD.exec(line.textContent)?.[0].toLowerCase() ?? "";
}

/** The line begins with an element: words before a keyword would be a sentence about it. */
function firstIsMarked({ children }: DomElement): boolean {
  const first = children.find((child) => isElement(child) || child.data.trim() !== "");
  return first !== undefined && isElement(first);
}
