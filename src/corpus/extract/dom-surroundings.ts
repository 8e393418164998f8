// Finds what is around the content of a page: navigation, banners, footers, consent to cookies. What an author says at
// length is text, whatever the element is called that holds it.
import { HEADINGS, INLINE, isElement, leadsElsewhere, type DomElement, type DomNode } from "./dom.ts";
import { isNotes } from "./dom-notes.ts";

const CONTENT = new Set(["main", "article", "section", "blockquote", "figure", "details", "td", "dd", "li"]);
const KIND_OF_ROLE = new Map([
  ["navigation", "nav"],
  ["banner", "header"],
  ["contentinfo", "footer"],
  ["complementary", "aside"],
  ["search", "search"],
]);
const KINDS = new Set(["nav", "header", "footer", "aside", "search", "form"]);
/** People choose these names freely, so a large element with such a name is kept: it may be the content. */
const NAMED = /^nav|\snav|docnav|sidebar/i;
const ADVERTS = /(^|[\s_-])(ads?|advert|advertisement|promo|related|share|social|sidebar)($|[\s_-])/i;
const CONSENT = /cookie|consent|gdpr/i;
const MAX_HEADING = 200;
/** What such an element is called is the anchor of its words. */
const LINES = new Set(["p", "dt", "dd", "li", "td", "th", "tr", "pre", "dl"]);
const BREADCRUMB = /breadcrumb/i;
const SEARCH = /search|login|newsletter|subscribe/i;
const COPYRIGHT =
  /©|\(c\)\s*\d|copyright|rights reserved|last (?:updated|modified)|generated (?:on|by)|powered by|created using/i;
const MAX_SHARE = 0.3;
/** Letters outside of links. With more of them something is said, and so it is in a sentence. */
const MAX_LABELS = 60;
const SENTENCE = /(?:\S{1,40}\s+){4}\S{1,40}[.!?](?:\s|$)|\S{6}[。！？]/;
const MAX_TEXT_OF_LABELS = 1_000;
const SECOND_HEADINGS = new Set(["h2", "h3"]);

/** `main`, where the page has one: next to it only what says something at length is text. */
export function surroundingsIn(body: DomElement): Set<DomNode> {
  const found = new Set<DomNode>();
  const main = body.find((element) => element.localName === "main" || element.attribute("role") === "main");
  const path = new Set<DomElement>();
  if (main !== null && main.letters > 0)
    for (let at: DomElement | null = main; at !== null; at = at.parent) path.add(at);
  const collect = (element: DomElement, isInContent: boolean): void => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      if (path.has(child)) collect(child, child === main);
      else if (path.has(element) && element !== main ? isAround(child) : isSurrounding(child, body, isInContent))
        found.add(child);
      else if (child.children.length > 0) collect(child, isInContent || CONTENT.has(child.localName));
    }
  };
  collect(body, main === body);
  return found;
}

/** For a part next to the main one. */
function isAround(element: DomElement): boolean {
  return isThin(element) || leadsElsewhere(element) || isImprint(element) || isConsent(element);
}

function isSurrounding(element: DomElement, body: DomElement, isInContent: boolean): boolean {
  const name = element.localName;
  // These may be words in the middle of a sentence.
  if (INLINE.has(name)) return false;
  const kind = KIND_OF_ROLE.get(element.attribute("role")) ?? name;
  if (KINDS.has(kind) && isSurroundingKind(kind, element, body, isInContent)) return true;
  const names = namesOf(element);
  if (names === " ") return false;
  if (BREADCRUMB.test(names)) return isThin(element) || leadsElsewhere(element);
  if (element.length > MAX_SHARE * body.length) return false;
  if (CONSENT.test(names) && isConsent(element)) return !isInContent;
  // What is between paragraphs is a box in the text.
  if (NAMED.test(element.attribute("class")) || /^nav|sidebar/i.test(element.attribute("id")))
    return isInContent || element.parent?.holdsParagraphs === true ? isThin(element) || leadsElsewhere(element) : true;
  const isHigh = element.parent === body || (element.parent?.localName === "div" && element.parent.parent === body);
  if (/^footer$/.test(element.attribute("id"))) return isHigh && isFooter(element);
  return (
    element.attribute("id") === "header" &&
    element.parent === body &&
    element.first(SECOND_HEADINGS) === null &&
    !headsPage(element)
  );
}

function isSurroundingKind(kind: string, element: DomElement, body: DomElement, isInContent: boolean): boolean {
  switch (kind) {
    case "nav":
      return isThin(element) || leadsElsewhere(element);
    case "search":
      return true;
    case "form":
      return element.length <= MAX_SHARE * body.length && isThin(element) && (!isInContent || isSearch(element));
    case "header":
      return !isInContent && isThin(element) && element.first(SECOND_HEADINGS) === null && !headsPage(element);
    case "footer":
      return !isInContent && isFooter(element);
    default:
      return !isNotes(element) && (leadsElsewhere(element) || (!isInContent && ADVERTS.test(namesOf(element))));
  }
}

function namesOf(element: DomElement): string {
  return `${element.attribute("class")} ${element.attribute("id")}`;
}

/** A heading or term "cookie" has an anchor of that name, and so has the section below it. */
function isConsent(element: DomElement): boolean {
  if (CONSENT.test(element.attribute("class"))) return true;
  if (!CONSENT.test(element.attribute("id")) || HEADINGS.has(element.localName) || LINES.has(element.localName))
    return false;
  const heading = element.first(HEADINGS);
  const isNamed = heading !== null && heading.length <= MAX_HEADING;
  return !isNamed || !slugOf(heading.textContent).includes(slugOf(element.attribute("id")));
}

function slugOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function isThin(element: DomElement): boolean {
  const { letters, linkLetters, length } = element;
  if (letters - linkLetters > MAX_LABELS) return false;
  return length > MAX_TEXT_OF_LABELS || !SENTENCE.test(element.textContent);
}

function isSearch(form: DomElement): boolean {
  return SEARCH.test(`${namesOf(form)} ${form.attribute("action")}`);
}

function isFooter(element: DomElement): boolean {
  return !isNotes(element) && (isThin(element) || leadsElsewhere(element) || isImprint(element));
}

const MAX_IMPRINT = 1_500;

function isImprint(element: DomElement): boolean {
  return element.length <= MAX_IMPRINT && COPYRIGHT.test(element.textContent);
}

/** True for a header with the heading of the page, which is no link to the start of the site. */
function headsPage(header: DomElement): boolean {
  const heading = header.first("h1") ?? header.first(HEADINGS);
  return heading !== null && !leadsAway(heading);
}

/** True for a heading that is a link to another page, as the name of a site is. */
export function leadsAway(heading: DomElement): boolean {
  const link = heading.first("a");
  const target = link?.attributes["href"] ?? "#";
  return !target.startsWith("#") && link?.textContent.trim() === heading.textContent.trim();
}
