// Finds elements that show no text, neither at once nor after a click.
import { HEADINGS, INLINE, leadsElsewhere, namesIn, type DomElement } from "./dom.ts";
import { NOTE_LINK } from "./dom-notes.ts";

const UNSEEN = namesIn(
  "style noscript embed canvas audio video map title meta link input select textarea datalist rt rp",
);
/** The texts of links to a heading itself or back from a note, which people do not read. */
const LINK_MARKS = /^(?:[\s¶#§\u{1F517}↑↩⏎^]|\uFE0E|\uFE0F)*$/u;
const NOTE_MARK = /^\s*\[?(\d{1,4}|[a-z]|[*†‡])\]?\s*$/i;
const MAX_MARK_LENGTH = 40;
const NO_DISPLAY = /display\s*:\s*none/i;
/** A part that opens on a click: its text belongs to the page. */
const PANEL =
  /(^|[\s_-])(panel|pane|tab|tabs|tabcontent|accordion|collapse|collapsible|collapsed|spoiler|answer|solution|details|toggle)($|[\s_-])/i;
const PANEL_ROLES = new Set(["tabpanel", "region"]);

export function isUnseen(element: DomElement): boolean {
  const name = element.localName;
  if (name === "template") return !element.hasAttribute("shadowrootmode");
  if (name === "script") return !element.attribute("type").startsWith("math/");
  if (UNSEEN.has(name) || isMenu(element) || isHidden(element)) return true;
  if (isTab(element)) return true;
  if (name === "button") return !isButtonOfText(element);
  if (name === "sup") return isNoteMark(element, element.first("a"));
  if (name !== "a" || element.children.length === 0 || element.length > MAX_MARK_LENGTH) return false;
  return LINK_MARKS.test(element.textContent) || (isNoteMark(element, element) && NOTE_LINK.test(kindOf(element)));
}

/** True for what is never visible, not even after a click. */
function isHidden(element: DomElement): boolean {
  const { attributes, localName } = element;
  const isOff = attributes["hidden"] !== undefined || NO_DISPLAY.test(attributes["style"] ?? "");
  if (!isOff && attributes["aria-hidden"] !== "true") return false;
  // Inside of a line, what is hidden from screen readers is an icon or a duplicate.
  if (INLINE.has(localName) || element.letters === 0) return true;
  return isOff ? !isPanel(element) : leadsElsewhere(element);
}

function isPanel({ openedBy, attributes }: DomElement): boolean {
  if (openedBy.length > 0 || attributes["hidden"]?.toLowerCase() === "until-found") return true;
  return PANEL_ROLES.has(attributes["role"] ?? "") || PANEL.test(attributes["class"] ?? "");
}

/** True for a tab whose panel is named: its words are above what it opens. */
function isTab(element: DomElement): boolean {
  return (
    element.attribute("role") === "tab" && /./.test(element.attribute("aria-controls") + element.attribute("href"))
  );
}

/** The only tab that opens the element. Several tabs with one panel choose what it shows. */
export function tabOf({ openedBy }: DomElement): DomElement | null {
  const [only, ...others] = openedBy.filter(isTab);
  return others.length === 0 ? (only ?? null) : null;
}

/** Menus open in the middle of a text, and lead elsewhere. */
function isMenu(element: DomElement): boolean {
  return element.attribute("role") === "menu" || /(^|\s)dropdown-menu(\s|$)/.test(element.attribute("class"));
}

/** A button that heads what it opens, or that a sentence names. Others only do something. */
function isButtonOfText({ attributes, parent }: DomElement): boolean {
  if (attributes["aria-expanded"] !== undefined || attributes["aria-controls"] !== undefined) return true;
  if (PANEL.test(attributes["class"] ?? "")) return true;
  for (let around = parent; around !== null; around = around.parent) {
    const name = around.localName;
    if (HEADINGS.has(name) || name === "summary" || name === "dt") return true;
    if (around.holdsWords) return true;
    if (!INLINE.has(name)) return false;
  }
  return false;
}

/** True for the number that leads to a note, which is no part of the sentence. */
function isNoteMark(element: DomElement, link: DomElement | null): boolean {
  if (link === null || element.length > MAX_MARK_LENGTH) return false;
  return link.attribute("href").includes("#") && NOTE_MARK.test(element.textContent);
}

function kindOf(element: DomElement): string {
  return ["class", "role", "epub:type"].map((name) => element.attribute(name)).join(" ");
}
