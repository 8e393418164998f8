// The text of an HTML page: its main content, without navigation, banners and whatever else stands around it.
import { Readability } from "@mozilla/readability";
import { depthOf, documentOf, htmlOfXhtml, type DomDocument, type DomElement, type DomNode } from "./dom.ts";
import { linkListsIn } from "./dom-links.ts";
import { markdownOfTree, type TreeText } from "./dom-markdown.ts";
import { keepNotesAside } from "./dom-notes.ts";
import { textOfHtml } from "./html-text.ts";
import { LIMITS } from "./limits.ts";
import { isSameTitle, withTitle } from "./title.ts";

/** Around the content of a page, when the page as a whole has to do. */
const SURROUNDINGS =
  'nav, aside, footer, form, dialog, [role="navigation"], [role="banner"], [role="contentinfo"], [role="search"], ' +
  '[role="dialog"], [aria-hidden="true"], [hidden], [class*="cookie"], [id*="cookie"], [class*="breadcrumb"]';
/** Less than this share of what the page says in sentences: the content was thrown away with the rest. */
const MIN_SHARE = 0.6;
const MIN_PROSE_LENGTH = 100;

export async function markdownOfHtml(bytes: Uint8Array): Promise<string> {
  const html = textOfHtml(bytes);
  const source = /<!DOCTYPE[^>]{0,300}XHTML|<html[^>]{0,300}xmlns|^\s*<\?xml/i.test(html.slice(0, PROLOGUE_LENGTH))
    ? htmlOfXhtml(html)
    : html;
  const page = documentOf(source);
  const title = titleOf(page);
  // Readability goes over and over the text above and below each element: too deep, it would never end.
  if (depthOf(page.documentElement) > LIMITS.elementDepth) return withTitle(title, markdownOfTree(page.body));
  keepNotesAside(page);
  const whole = wholeOf(page);
  // Takes the page apart: nothing can be read from it afterwards.
  const main = mainContentOf(page);
  if (main === null || proseLength(main.content) < MIN_SHARE * proseLength(whole)) return withTitle(title, whole);
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
  const surroundings = new Set<DomNode>(body.querySelectorAll(SURROUNDINGS));
  const whole = markdownOfTree(content, surroundings.union(linkListsIn(content)));
  // A page that is nothing but links says what it has by them.
  return whole.text === "" ? markdownOfTree(content, surroundings) : whole;
}

/** The one heading of the first level, when the page has nothing else or only adds the name of its site. */
function titleOf(page: DomDocument): string {
  const named = page.querySelector('meta[property="og:title"]')?.getAttribute("content");
  const title = (named ?? page.querySelector("title")?.textContent ?? "").trim();
  const headings = [...page.querySelectorAll("h1")].map((heading) => markdownOfTree(heading).text.replace(/^# /, ""));
  const [heading = ""] = headings;
  return title === "" || (headings.length === 1 && isSameTitle(heading, title)) ? heading : title;
}

/** How much stands in lines so long that they must be sentences. */
function proseLength({ text, notes }: TreeText): number {
  const lines = `${text}\n${notes}`.split("\n").filter((line) => line.length >= MIN_PROSE_LENGTH);
  return lines.reduce((sum, line) => sum + line.length, 0);
}
