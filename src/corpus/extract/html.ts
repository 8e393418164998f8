// Takes the text out of an HTML page: its main content, without navigation, banners and other surroundings.
import { Readability } from "@mozilla/readability";
import { depthOf, documentOf, htmlOfXhtml, type DomDocument, type DomElement, type DomNode } from "./dom.ts";
import { linkListsIn } from "./dom-links.ts";
import { markdownOfTree, type TreeText } from "./dom-markdown.ts";
import { keepNotesAside } from "./dom-notes.ts";
import { dropInlineNames } from "./dom-inline-names.ts";
import { textOfHtml } from "./html-text.ts";
import { LIMITS } from "./limits.ts";
import { isSameTitle, withTitle } from "./title.ts";

/** Elements around the content, which are left out when Readability cannot be used. */
const SURROUNDINGS =
  'nav, aside, footer, form, dialog, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], ' +
  '[role="dialog"], [aria-hidden="true"], [hidden], [class*="cookie"], [id*="cookie"], [class*="breadcrumb"]';
/** People choose these names freely, so a large element with such a name is kept: it may be the content. */
const NAMED_SURROUNDINGS =
  "body > header, body > div > header, body > #header:not(:has(h2)), body > #footer, body > div > #footer, " +
  '[class^="nav"], [id^="nav"], [class*=" nav"], [class*="sidebar"], [id*="sidebar"]';
const MAX_SURROUNDING_SHARE = 0.3;
/** Readability has to keep this share of the words outside of links. With less it threw content away. */
const MIN_SHARE_OF_WORDS = 0.85;

export async function markdownOfHtml(bytes: Uint8Array): Promise<string> {
  const html = textOfHtml(bytes);
  const source = /<!DOCTYPE[^>]{0,300}XHTML|<html[^>]{0,300}xmlns|^\s*<\?xml/i.test(html.slice(0, PROLOGUE_LENGTH))
    ? htmlOfXhtml(html)
    : html;
  const page = documentOf(source);
  const title = titleOf(page);
  // Readability reads the text around each element again and again. In a very deep page it would not end.
  if (depthOf(page.documentElement) > LIMITS.elementDepth) return withTitle(title, markdownOfTree(page.body));
  keepNotesAside(page);
  dropInlineNames(page);
  const whole = wholeOf(page);
  // Readability takes the page apart, so nothing can be read from it afterwards.
  const main = mainContentOf(page);
  if (main === null || losesContent(main.content, whole, title)) return withTitle(title, whole);
  return withTitle(title || main.title, main.content);
}

const PROLOGUE_LENGTH = 2_048;

function mainContentOf(page: DomDocument): { title: string; content: TreeText } | null {
  const reader = new Readability<DomElement>(page, {
    keepClasses: true,
    serializer: (node) => node,
  });
  const article = reader.parse();
  if (article?.content === null || article?.content === undefined) return null;
  const content = markdownOfTree(article.content, linkListsIn(article.content));
  return { title: article.title?.trim() ?? "", content };
}

function wholeOf({ body }: DomDocument): TreeText {
  const main = body.querySelector('main, [role="main"]');
  const content = main !== null && main.textContent.trim() !== "" ? main : body;
  const surroundings = surroundingsIn(body);
  const whole = markdownOfTree(content, surroundings.union(linkListsIn(content)));
  // On a page of only links, the links are the content.
  return whole.text === "" ? markdownOfTree(content, surroundings) : whole;
}

/** The heading of the first level if there is one and the title only adds the name of the site; else the title. */
function titleOf(page: DomDocument): string {
  const named = page.querySelector('meta[property="og:title"]')?.getAttribute("content");
  const title = (named ?? page.querySelector("title")?.textContent ?? "").trim();
  const headings = [...page.querySelectorAll("h1")];
  const [first] = headings;
  const heading = first === undefined ? "" : markdownOfTree(first).text.replace(/^# /, "");
  return title === "" || (headings.length === 1 && isSameTitle(heading, title) && !leadsAway(first)) ? heading : title;
}

/** True for a heading that is a link to another page, as the name of a site is. */
function leadsAway(heading: DomElement | undefined): boolean {
  const link = heading?.querySelector("a");
  const target = link?.getAttribute("href") ?? "#";
  return !target.startsWith("#") && link?.textContent.trim() === heading?.textContent.trim();
}

function surroundingsIn(body: DomElement): Set<DomNode> {
  const most = MAX_SURROUNDING_SHARE * body.textContent.length;
  const named = [...body.querySelectorAll(NAMED_SURROUNDINGS)].filter(({ textContent }) => textContent.length <= most);
  return new Set<DomNode>([...body.querySelectorAll(SURROUNDINGS), ...named]);
}

/** True when Readability lost a heading other than the title, or too many words. */
function losesContent(main: TreeText, whole: TreeText, title: string): boolean {
  const kept = Map.groupBy(main.headings, (heading) => heading);
  const isMissing = ([heading, found]: [string, string[]]): boolean =>
    found.length > (kept.get(heading)?.length ?? 0) && !isSameTitle(heading, title);
  if ([...Map.groupBy(whole.headings, (heading) => heading)].some(isMissing)) return true;
  return main.words < MIN_SHARE_OF_WORDS * whole.words;
}
