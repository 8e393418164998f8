// Removes class and id from inline elements. Readability drops elements with names like "menu", "comment" or "author", and
// these may be words in the middle of a sentence.
import { WAY_ON } from "./dom-links.ts";
import { NOTE_LINK } from "./dom-notes.ts";
import type { DomDocument } from "./dom.ts";

const INLINE =
  "a, abbr, acronym, b, bdi, bdo, big, cite, code, data, del, dfn, em, font, i, ins, kbd, label, mark, q, ruby, s, samp, " +
  "small, span, strike, strong, sub, sup, time, tt, u, var";

export function dropInlineNames(page: DomDocument): void {
  for (const element of page.querySelectorAll(INLINE)) {
    element.removeAttribute("id");
    const name = element.getAttribute("class");
    if (name !== null && WAY_ON.test(name) && !element.hasAttribute("rel")) element.setAttribute("rel", name);
    // The class tells links to notes.
    if (name !== null && !NOTE_LINK.test(name)) element.removeAttribute("class");
    else if (name !== null) element.setAttribute("class", "note");
  }
}
