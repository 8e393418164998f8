// Judges whether a span reads as a sentence that can stand alone in a report.
import { hasUnspacedScript } from "../../corpus/terms.ts";

const MAX_LENGTH = 400;
const MIN_LENGTH = 40;
/** Scripts without spaces say more in fewer characters. */
const MIN_LENGTH_UNSPACED = 12;
const MIN_WORDS = 6;

const ENDS_SENTENCE = /[.!?。！？।](["'”’»)\]*_`]|\*\*)*$/u;
const BEGINS_LOWER = /^["'“‘«([*_`]*\p{Ll}/u;
const TAG = /<\/?[a-z!][^>]*>/i;
const IMAGE = /!\[/;
const ADDRESS = /\bhttps?:\/\/\S+|\bwww\.\S+/gi;
const ENTITY = /&[a-z]+;|&#\d+;/i;
const CODE_CHARACTERS = /[{}=<>|\\;$]/g;
const BOILERPLATE =
  /\b(copyright|licen[cs]ed? (under|to)|all rights reserved|warrant(y|ies)|merchantability|sublicense|pull requests?|sponsor|donat(e|ion)|backer|star (us|this)|npm (install|i)\b|yarn add|table of contents|click here|buy me a coffee|without limitation|hereby)\b/i;
/** Sentences that lean on the one before. */
const LEANS =
  /^["'(*_`]*(this|that|these|those|it|they|he|she|here|such|also|then|thus|therefore|hence|and|but|or|so|in this case|for example|see|note that|as above)\b/i;

export function isReadable(text: string): boolean {
  const isUnspaced = hasUnspacedScript(text);
  if (text.length > MAX_LENGTH || text.length < (isUnspaced ? MIN_LENGTH_UNSPACED : MIN_LENGTH)) return false;
  if (!isUnspaced && text.split(/\s+/).length < MIN_WORDS) return false;
  if (!ENDS_SENTENCE.test(text) || /\n\s*[>|#*]/.test(text) || /\p{Cc}/u.test(text.replace(/[\r\n\t]/g, "")))
    return false;
  const outsideCode = text.replace(/`[^`]*`/g, "");
  // A tag of a documentation comment.
  if (text.startsWith("@")) return false;
  if (IMAGE.test(text) || TAG.test(outsideCode) || ENTITY.test(outsideCode) || BOILERPLATE.test(text)) return false;
  if (shareOf(outsideCode.match(CODE_CHARACTERS)?.join("") ?? "", outsideCode) > 0.03) return false;
  if (shareOf(text.match(ADDRESS)?.join("") ?? "", text) > 0.3) return false;
  return isBalanced(text) && shareOf(text.match(/[\p{L}\p{M}]/gu)?.join("") ?? "", text) > 0.55;
}

/** 0 to 1: how well a readable sentence stands alone. */
export function qualityOf(text: string): number {
  let quality = 1;
  if (LEANS.test(text)) quality *= 0.8;
  if (BEGINS_LOWER.test(text)) quality *= 0.95;
  if (text.length > 280) quality *= 0.9;
  if (text.endsWith("?") || text.endsWith("？")) quality *= 0.5;
  const marks = text.match(/`|\]\(|\*\*/g)?.length ?? 0;
  return quality * Math.max(0.7, 1 - marks * 0.02);
}

export function beginsLower(text: string): boolean {
  return BEGINS_LOWER.test(text);
}

function shareOf(some: string, all: string): number {
  return some.length / Math.max(1, all.length);
}

const PAIRS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["“", "”"],
  ["「", "」"],
];

/** A sentence cut in the wrong place leaves half of a pair behind. */
function isBalanced(text: string): boolean {
  const plain = text.replace(/`[^`]*`/g, "");
  if (plain.includes("`") || count(plain, '"') % 2 === 1 || count(plain, "**") % 2 === 1) return false;
  return PAIRS.every(([open, close]) => count(plain, open) === count(plain, close));
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
