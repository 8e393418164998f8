// Judges whether a span reads as a sentence that can stand in a report: complete, and no furniture of a document.
import { hasUnspacedScript } from "../../corpus/terms.ts";
import { LACKS_SUBJECT, NAVIGATION, POINTER, POINTS_ELSEWHERE, SAYS_SHORTLY } from "./cues/sentence-cues.ts";

const MAX_LENGTH = 420;
const MIN_LENGTH = 12;
/** Scripts without spaces say more in fewer characters. */
const MAX_LENGTH_UNSPACED = 220;
const MIN_LENGTH_UNSPACED = 12;
const MIN_WORDS = 3;
/** Fewer words make a sentence only when one of them looks like a verb. */
const WORDS_OF_LONG = 6;
const NAMES_OF_LIST = 5;

const ENDS_SENTENCE = /[.!?。！？।](["'”’»)\]*_`」』）]|\*\*)*$/u;
const ENDS_IN_BRACKET = /[.!?。！？]["'”’*_`]*[)）]["'”’*_`]*$/u;
const BEGINS_LOWER = /^["'“‘«([*_`]*\p{Ll}/u;
/** What begins with another mark is a piece of markup or of a list. */
const BEGINS = /^(?:[\p{L}\p{N}"'“”‘«»„‚「『【*_`[§¿¡…]|[-−]\p{N}|\.\p{L}|\$[^\s])/u;
/** The mark of a footnote that its text was run into. */
const FOOTNOTE = /^\p{N}+\p{Lu}\p{Ll}/u;
const TAG = /<\/?[a-z!][^>]*>/i;
const IMAGE = /!\[/;
const ADDRESS = /\bhttps?:\/\/\S+|\bwww\.\S+/gi;
const ENTITY = /&[a-z]+;|&#\d+;/i;
const CODE_CHARACTERS = /[{}=<>|\\;$]/g;
/** Targets of links, roles of reStructuredText, marks of emphasis. */
const MARKUP = /\]\([^)]*\)|\p{L}+:[^\s[\]]+\[[^\]]*\]|:\p{L}+:`[^`]*`|<[^>\s]+>`_*|[`*_|]+/gu;
const MAX_MARKUP = 0.3;
const LEADERS = /[-=~]{4,}|(?:[.·…]\s?){4,}|(?:\s[-–|»]\s[^-–|»]{1,30}){4,}/u;
const CAPTION =
  /^[*_`]*(?:figure|fig\.?|table|tab\.?|listing|algorithm|equation|plate|abbildung|abb\.?|tabelle|図|表|例)\s*(?:\p{N}|[A-Z]\.?\p{N})[\p{N}.:\-–]*/iu;
/** A bibliography entry shows several of these. */
const BIBLIOGRAPHY =
  /\b(?:doi|DOI|ar[xX]iv|ISBN|[Pp]roceedings|Journal of|Transactions on|Press|Verlag|[Rr]etrieved|et al)\b|\b(?:Proc|[Vv]ol)\.|\bpp?\.\s?\p{N}|\p{N}+\s?[-–]{1,2}\s?\p{N}+\s?\(|\(\p{N}{4}[a-z]?\)|\b[Nn]o\.\s?\p{N}|\p{Lu}\p{Ll}+,\s(?:\p{Lu}\.\s?)+|(?:\p{Lu}\.\s?)+\p{Lu}\p{Ll}+,/gu;
const NUMBERED_ENTRY = /^\[\p{N}+\]\s/u;
const INITIALS = /(?:^|\s)(?:\p{Lu}\.\s?){1,3}(?=\p{Lu}\p{Ll}|,|\s)/gu;

/** "The directory that will be used for it." says nothing of the directory: no verb follows the one of the clause. */
const NOUN_ALONE =
  /^(?:The|An?)\s(?:\p{L}+\s){1,3}(?:that|which)\s(?:will|is|are|was|were|can|may|must|should|has|have)\s(?!.*\s(?:is|are|was|were|will|can|cannot|may|must|should|has|have|had|do|does|\p{Ll}{3,}s)\s)/u;

/** For one sentence. */
export function isReadable(text: string): boolean {
  return hasFittingLength(text) && isWellFormed(text) && !isFurniture(text);
}

function hasFittingLength(text: string): boolean {
  if (hasUnspacedScript(text)) return text.length >= MIN_LENGTH_UNSPACED && text.length <= MAX_LENGTH_UNSPACED;
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return false;
  const words = text.split(/\s+/).length;
  return words >= WORDS_OF_LONG || (words >= MIN_WORDS && SAYS_SHORTLY.test(text));
}

function isWellFormed(text: string): boolean {
  if (!BEGINS.test(text) || FOOTNOTE.test(text) || /::\s|\p{L}\s+[,.]\s|\p{L}\s+,$/u.test(text)) return false;
  if (!ENDS_SENTENCE.test(text) || /\n\s*[>|#*]/.test(text) || /\p{Cc}/u.test(text.replace(/[\s]/g, ""))) return false;
  // What ends inside brackets is the end of a bracket, not of a sentence.
  if (ENDS_IN_BRACKET.test(text)) return false;
  const outsideCode = text.replace(/`[^`]*`/g, "");
  // A tag of a documentation comment.
  if (text.startsWith("@") || IMAGE.test(text) || TAG.test(outsideCode) || ENTITY.test(outsideCode)) return false;
  if (shareOf(outsideCode.match(CODE_CHARACTERS)?.join("") ?? "", outsideCode) > 0.03) return false;
  if (shareOf(text.match(ADDRESS)?.join("") ?? "", text) > 0.3) return false;
  return isBalanced(text) && shareOf(text.match(/[\p{L}\p{M}]/gu)?.join("") ?? "", text) > 0.55;
}

/** Boilerplate, captions, tables of contents, lists of authors and of references. */
function isFurniture(text: string): boolean {
  if (NOUN_ALONE.test(text)) return true;
  if (POINTER.test(text) || shareOf(text.match(MARKUP)?.join("") ?? "", text) > MAX_MARKUP) return true;
  if (NAVIGATION.test(text) || LEADERS.test(text) || CAPTION.test(text) || NUMBERED_ENTRY.test(text)) return true;
  if ((text.match(BIBLIOGRAPHY)?.length ?? 0) >= 3 || (text.match(INITIALS)?.length ?? 0) >= 3) return true;
  return isShouted(text) || isListOfNames(text);
}

function isShouted(text: string): boolean {
  const letters = text.match(/\p{Lu}|\p{Ll}/gu) ?? [];
  return letters.length > 0 && (text.match(/\p{Lu}/gu)?.length ?? 0) > letters.length / 2;
}

function isListOfNames(text: string): boolean {
  const words = text.match(/[\p{L}][\p{L}\p{M}'’.-]*/gu) ?? [];
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return words.length >= NAMES_OF_LIST && capital / words.length > 0.7;
}

/** 0 to 1: how well a readable sentence stands alone. */
export function qualityOf({ text, label }: { text: string; label: string | null }): number {
  let quality = 1;
  if (POINTS_ELSEWHERE.test(text)) quality *= 0.6;
  if (describesLink(text)) quality *= 0.6;
  if (text.search(ADDRESS) !== -1) quality *= 0.8;
  if (BEGINS_LOWER.test(text)) quality *= 0.8;
  if (/^(?:"|\p{N}+(?:\.\p{N}+)*\s\p{Lu})/u.test(text)) quality *= 0.75;
  if (label === null && LACKS_SUBJECT.test(text)) quality *= 0.55;
  if (text.length > 280) quality *= 0.92;
  if (/[?？]["'”’»)*_`]*$/u.test(text)) quality *= 0.3;
  const links = text.match(/\]\(|\]\[|:\p{L}+:`|`_|\p{L}:[^\s[\]]+\[/gu)?.length ?? 0;
  const emphasis = text.match(/`{2,}|\*+|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu)?.length ?? 0;
  const code = text.match(/(?<!`)`(?!`)/g)?.length ?? 0;
  return quality * Math.max(0.4, 1 - code * 0.03 - emphasis * 0.08 - links * 0.25);
}

/** "[file](path): what stands there." An entry of a list of files says nothing by itself. */
export function describesLink(text: string): boolean {
  return /^\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])\s*(?::|\s[-–—])\s/u.test(text);
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
  const plain = text
    .replace(/`[^`]*`/g, "")
    .replaceAll("„", "“")
    .replace(/“([^“”]*)“/g, "“$1”");
  if (plain.includes("`") || count(plain, '"') % 2 === 1 || count(plain, "**") % 2 === 1) return false;
  return PAIRS.every(([open, close]) => count(plain, open) === count(plain, close));
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
