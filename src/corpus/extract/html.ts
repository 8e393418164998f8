// Takes the text out of an HTML page: its content, without navigation, banners and other surroundings.
import { UnfitDocument } from "./extraction.ts";
import type { DomNode } from "./dom.ts";
import { linkListsIn } from "./dom-links.ts";
import { markdownOfTree, type TreeText } from "./dom-markdown.ts";
import { documentOf, type DomDocument } from "./dom-parser.ts";
import { leadsAway, surroundingsIn } from "./dom-surroundings.ts";
import { textOfHtml } from "./html-text.ts";
import { LIMITS } from "./limits.ts";
import { isSameTitle, withTitle } from "./title.ts";

/** A page of a folder. What is not recognized as a surrounding is text. */
export async function markdownOfHtml(bytes: Uint8Array): Promise<string> {
  const page = pageOf(bytes);
  return withTitle(titleOf(page), wholeOf(page));
}

/** A page of the web, fetched without its neighbours: what appears to be its article is kept, unless that loses something. */
export async function markdownOfWebPage(bytes: Uint8Array): Promise<string> {
  const page = pageOf(bytes);
  const [title, whole] = [titleOf(page), wholeOf(page)];
  // Readability reads the text around each element again and again. In a large or deep page it would not end.
  if (page.depth > LIMITS.elementDepth || page.depths > MAX_DEPTHS) return withTitle(title, whole);
  const main = (await import("./main-content.ts")).mainContentOf(page.body);
  if (main === null || losesContent(main.content, whole, title)) return withTitle(title, whole);
  return withTitle(title || main.title, main.content);
}

/** 7,500 elements, each within 20 others. */
const MAX_DEPTHS = 150_000;
const PROLOGUE_LENGTH = 2_048;
const XHTML = /<!DOCTYPE[^>]{0,300}XHTML|<html[^>]{0,300}xmlns|^\s*<\?xml/i;

function pageOf(bytes: Uint8Array): DomDocument {
  const html = textOfHtml(bytes);
  return documentOf(html, { isXhtml: XHTML.test(html.slice(0, PROLOGUE_LENGTH)) });
}

function wholeOf({ body, depth }: DomDocument): TreeText {
  const surroundings = depth > LIMITS.elementDepth ? new Set<DomNode>() : surroundingsIn(body);
  const whole = markdownOfTree(body, surroundings.union(linkListsIn(body, surroundings)));
  if (whole.text !== "") return whole;
  // On a page of only links, the links are the content.
  const withLinks = markdownOfTree(body, surroundings);
  const read = withLinks.text === "" ? markdownOfTree(body) : withLinks;
  if (read.text !== "" || read.notes !== "") return read;
  throw new UnfitDocument(body.first(SCRIPTS) === null ? "no_text" : "needs_script");
}

const SCRIPTS = new Set(["script", "noscript"]);

/** The heading of the first level if there is one and the title only adds the name of the site; else the title. */
function titleOf({ body, title }: DomDocument): string {
  const [first, ...others] = body.all("h1");
  const heading = first === undefined ? "" : markdownOfTree(first).text.replace(/^# /, "");
  const isTitle = first !== undefined && others.length === 0 && isSameTitle(heading, title) && !leadsAway(first);
  return title === "" || isTitle ? heading : title;
}

/** Readability has to keep this share of the words outside of links. With less it threw content away. */
const MIN_SHARE_OF_WORDS = 0.85;

/** True when Readability lost a heading other than the title, or too many words. */
function losesContent(main: TreeText, whole: TreeText, title: string): boolean {
  const kept = Map.groupBy(main.headings, (heading) => heading);
  const isMissing = ([heading, found]: [string, string[]]): boolean =>
    found.length > (kept.get(heading)?.length ?? 0) && !isSameTitle(heading, title);
  if ([...Map.groupBy(whole.headings, (heading) => heading)].some(isMissing)) return true;
  return main.words < MIN_SHARE_OF_WORDS * whole.words;
}
