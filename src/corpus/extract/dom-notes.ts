// Finds the footnotes of a page. They lie in one section, while the text that refers to them may be in any.
import type { DomDocument, DomElement } from "./dom.ts";

const MAY_BE_NOTES = new Set("aside dl section div ol ul table".split(" "));
const NOTES = /(^|\s)(doc-)?(foot|end|rear)notes?(-list)?(\s|$)/i;
/** Word documents, Markdown and wikis number their notes so. */
const NOTE_ID = /^(fn|footnote|endnote|cite_note)[-:_]?\d/i;
/** The class or role of a link to a note. */
export const NOTE_LINK = /note|citation/i;

/** True for an element with the role of notes, or with such a name and a link back to the text. Without it, it is a remark. */
export function isNotes(element: DomElement): boolean {
  if (["role", "epub:type"].some((name) => NOTES.test(element.getAttribute(name) ?? ""))) return !hasSections(element);
  const name = element.localName.toLowerCase();
  if (!MAY_BE_NOTES.has(name)) return false;
  const isNamed = NOTES.test(element.getAttribute("class") ?? "") || (name === "ol" && hasNoteItem(element));
  return isNamed && leadsBack(element) && !hasSections(element);
}

function hasNoteItem(list: DomElement): boolean {
  return NOTE_ID.test(list.querySelector("li")?.getAttribute("id") ?? "");
}

function leadsBack(element: DomElement): boolean {
  return [...element.querySelectorAll("a")].some((link) => link.getAttribute("href")?.includes("#"));
}

/** Notes have at most one heading above them. An element with several is a part of the text. */
function hasSections(element: DomElement): boolean {
  return headingsIn(element).length > 1;
}

export function headingsIn(element: DomElement): DomElement[] {
  return [...element.querySelectorAll("h1, h2, h3, h4, h5, h6")];
}

/** Makes a `div` of each `aside` with notes, since readers leave an `aside` out. */
export function keepNotesAside(page: DomDocument): void {
  for (const aside of [...page.querySelectorAll("aside")].filter(isNotes)) {
    const kept = page.createElement("div");
    for (const name of ["id", "class", "role"]) {
      const value = aside.getAttribute(name);
      if (value !== null) kept.setAttribute(name, value);
    }
    while (aside.firstChild !== null) kept.append(aside.firstChild);
    aside.replaceWith(kept);
  }
}
