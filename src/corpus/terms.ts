// Cuts texts into words and terms. The index, queries and drivers all cut words here.
import { stem } from "./stem.ts";
import { isAskingWord, withoutStopWords, withoutStopWordsOfQuestion } from "./stop-words.ts";

/** Scripts without a space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

let segmenter: Intl.Segmenter | undefined;

/** The text with a space between any two words. Only texts in scripts without such spaces change. */
export function spacedText(text: string): string {
  if (!hasUnspacedScript(text)) return text;
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment).join(" ");
}

export function hasUnspacedScript(text: string): boolean {
  return UNSPACED.test(text);
}

const NOT_ASCII = /[^\u0000-\u007f]/;

export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** The words in lower case, without diacritics on Latin letters. */
export function wordsOf(text: string): string[] {
  // Most texts are ASCII, and this is faster.
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = spacedText(text.normalize("NFKC"))
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
  return plain.toLowerCase().match(WORD) ?? [];
}

/** The stems of all words but stop words, in order, with repeats. */
export function termsOf(text: string): string[] {
  return withoutStopWords(wordsOf(text)).map(stem);
}

/** The stems of a question in any language, in order, with repeats. */
export function termsOfQuestion(question: string): string[] {
  return withoutStopWordsOfQuestion(wordsOf(question)).map(stem);
}

/** The distinct words that a question is about, in order. A question of only stop words is about these. */
export function contentWords(question: string): string[] {
  const words = [...new Set(wordsOf(question))];
  const content = withoutStopWordsOfQuestion(words);
  const subjects = content.filter((word) => !isAskingWord(word));
  if (subjects.length > 0) return subjects;
  return content.length > 0 ? content : words;
}
