// Guesses the article of a web page with Readability, which needs a whole DOM and takes it apart.
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { INLINE, isElement, namesIn, type DomElement, type DomNode } from "./dom.ts";
import { VOID } from "./dom-end-tags.ts";
import { linkListsIn, WAY_ON } from "./dom-links.ts";
import { markdownOfTree, type TreeText } from "./dom-markdown.ts";
import { isNotes, NOTE_LINK } from "./dom-notes.ts";
import { documentOf } from "./dom-parser.ts";

export function mainContentOf(body: DomElement): { title: string; content: TreeText } | null {
  const { document } = parseHTML(`<html><head></head><body>${body.children.map(htmlOf).join("")}</body></html>`);
  const article = new Readability<string>(document, { keepClasses: true }).parse();
  if (article?.content === null || article?.content === undefined) return null;
  const main = documentOf(article.content).body;
  return { title: article.title?.trim() ?? "", content: markdownOfTree(main, linkListsIn(main)) };
}

const UNREAD = namesIn("script style template iframe noscript embed frame link meta source track param");

function htmlOf(node: DomNode): string {
  if (!isElement(node)) return Bun.escapeHTML(node.data);
  if (UNREAD.has(node.localName)) return "";
  // Readability leaves an `aside` out, also with notes.
  const name = node.localName === "aside" && isNotes(node) ? "div" : node.localName;
  if (!/^[a-z][a-z0-9-]*$/.test(name)) return node.children.map(htmlOf).join("");
  const attributes = Object.entries(namesFor(node)).map(([key, value]) => ` ${key}="${Bun.escapeHTML(value)}"`);
  const start = `<${name}${attributes.join("")}>`;
  return VOID.has(name) ? start : `${start}${node.children.map(htmlOf).join("")}</${name}>`;
}

/** Readability drops elements with names like "menu" or "author", and in inline elements these may be words of a sentence. */
function namesFor({ localName, attributes }: DomElement): Record<string, string> {
  const named = Object.fromEntries(Object.entries(attributes).filter(([key]) => /^[a-z][\w:-]*$/.test(key)));
  if (!INLINE.has(localName)) return named;
  const { id: _id, class: name = "", ...others } = named;
  // The class shows which links lead to other pages or to notes.
  return { ...(WAY_ON.test(name) && { rel: name }), ...others, ...(NOTE_LINK.test(name) && { class: "note" }) };
}
