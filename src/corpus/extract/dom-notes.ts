// Finds the footnotes of a page. They are in one section, while the text that refers to them may be in any.
import { HEADINGS, namesIn, type DomElement } from "./dom.ts";

const MAY_BE_NOTES = namesIn("aside dl section div ol ul table");
const NOTES = /(^|\s)(doc-)?(foot|end|rear)notes?(-list)?(\s|$)/i;
/** How Word documents, Markdown and wikis number their notes. */
const NOTE_ID = /^(fn|footnote|endnote|cite_note)[-:_]?\d/i;
/** The class or role of a link to a note. */
export const NOTE_LINK = /note|citation/i;

/** True for an element with the role of notes, or with such a name and a link back to the text. Without it, it is a remark. */
export function isNotes(element: DomElement): boolean {
  if (["role", "epub:type"].some((name) => NOTES.test(element.attribute(name)))) return !hasSections(element);
  const name = element.localName;
  if (!MAY_BE_NOTES.has(name)) return false;
  const isNamed = NOTES.test(element.attribute("class")) || (name === "ol" && hasNoteItem(element));
  return isNamed && leadsBack(element) && !hasSections(element);
}

function hasNoteItem(list: DomElement): boolean {
  return NOTE_ID.test(list.first("li")?.attribute("id") ?? "");
}

function leadsBack(element: DomElement): boolean {
  return element.links > 0 && element.all("a").some((link) => link.attribute("href").includes("#"));
}

/** Notes have at most one heading above them. An element with several is a part of the text. */
function hasSections(element: DomElement): boolean {
  return element.all(HEADINGS).length > 1;
}
