// Leaves out the words that the verifier finds too far, where a whole sentence remains without them.
import type { WrittenStatement } from "./written-page.ts";

/** More than this share of a sentence is its matter. */
const MOST_OF_SENTENCE = 0.34;
const MAX_WORDS = 3;
/** Without these words the sentence says the opposite. */
const NEGATION =
  /(?:^|[^\p{L}])(?:not?|never|none|nothing|without|cannot|\p{L}+n['’]t|nicht|nie|kein\p{L}*|ohne|ne|pas|sans|jamais|sin|nunca|non|senza|mai|niet|geen|zonder)(?![\p{L}])/iu;

/** The sentence without these words; null where they are no clean cut, or a number would mean something else. */
export function withoutExcess({ text, kind, place, expression }: WrittenStatement, excess: string): string | null {
  const words = excess.trim();
  const isPlain = (kind === "cited" || kind === "derived") && place.kind === "sentence" && expression === undefined;
  if (!isPlain || words === "" || words.split(/\s+/u).length > MAX_WORDS) return null;
  if (words.length > text.length * MOST_OF_SENTENCE || /[\p{N}.!?:;]/u.test(words) || NEGATION.test(words)) return null;
  const at = text.indexOf(words);
  if (at < 0 || text.includes(words, at + 1)) return null;
  const [before, behind] = [text.slice(0, at), text.slice(at + words.length)];
  const isBetweenWords = /(?:^|\p{L} )$/u.test(before) && /^ \p{Ll}/u.test(behind);
  const isBetweenCommas = /\p{L}, $/u.test(before) && /^[,.]/u.test(behind);
  if (isBetweenWords) return withCapital(`${before}${behind.slice(1)}`, before === "");
  if (isBetweenCommas) return `${before.slice(0, -2)}${behind.replace(/^,/u, "")}`;
  return null;
}

function withCapital(text: string, isWanted: boolean): string {
  return isWanted ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
}
