// Chooses what a sentence holds in place of something that is not text: a formula, a picture, a raised number.
import { isElement, namesIn, type DomElement } from "./dom.ts";

/** What a reader of the text sees in the place of something that is left out. */
export const LEFT_OUT = { formula: "[formula]", picture: "[picture]", field: "[field]", object: "[object]" } as const;

/** The elements of MathML whose texts, one behind the other, say what the formula says. */
const IN_A_ROW = namesIn("math semantics mrow mstyle mpadded mi mn mo ms mtext mspace annotation annotation-xml");
const FORMULA = /(^|[\s_-])(math|tex|latex|formula|equation)($|[\s_-])/i;

/** A formula as its author wrote it, or its signs where they follow each other in one row; else its mark. */
export function formulaOf(math: DomElement): string {
  const tex = math.all("annotation").find((annotation) => /tex/i.test(annotation.attribute("encoding")));
  const written = (math.attribute("alttext") || (tex?.textContent ?? "")).trim();
  if (written !== "") return written;
  return math.find(({ localName }) => !IN_A_ROW.has(localName)) === null ? math.textContent : LEFT_OUT.formula;
}

/** The words for a picture, a field or an object in the middle of a sentence; "" for an ornament, null for any other element. */
export function placeholderOf(element: DomElement): string | null {
  switch (element.localName) {
    case "img":
      return element.attributes["alt"]?.trim() ?? LEFT_OUT.picture;
    case "input":
      return /^(hidden|checkbox|radio)$/i.test(element.attribute("type"))
        ? ""
        : element.attribute("value").trim() || LEFT_OUT.field;
    case "select":
    case "textarea":
      return LEFT_OUT.field;
    case "embed":
    case "iframe":
    case "object":
    case "canvas":
    case "audio":
    case "video":
      return element.attribute("aria-label").trim() || LEFT_OUT.object;
    case "svg":
      return element.attribute("aria-hidden") === "true" || element.parent?.localName === "a"
        ? ""
        : element.attribute("aria-label").trim() || LEFT_OUT.picture;
    default:
      return null;
  }
}

/** True for a picture of a formula, whose words belong to the text anywhere in the page. */
export function isFormulaPicture(element: DomElement): boolean {
  return element.localName === "img" && FORMULA.test(element.attribute("class")) && element.attribute("alt") !== "";
}

const [RAISED, LOWERED, PLAIN] = ["⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ", "0123456789+-−=()n"] as const;
const MAX_RAISED_LENGTH = 12;

/** A raised or lowered number: 10⁶ is not 106. Null for words, which continue as they are. */
export function shiftedNumber({ localName, children }: DomElement): string | null {
  const [only, ...others] = children;
  if (only === undefined || isElement(only) || others.length > 0) return null;
  const text = only.data.trim();
  if (text.length > MAX_RAISED_LENGTH || !/\d/.test(text)) return null;
  const signs = Array.from(text, (sign) => (localName === "sup" ? RAISED : LOWERED)[PLAIN.indexOf(sign)]);
  if (signs.every((sign) => sign !== undefined)) return signs.join("");
  return localName === "sup" && /^[\w.,/*+−-]+$/.test(text) ? `^(${text})` : null;
}
