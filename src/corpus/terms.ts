// The words of a text and the terms they stand for. Index, queries and the judging of sentences all cut words here.
import { stem } from "./stem.ts";
import { isAskingWord, withoutStopWords, withoutStopWordsOfQuestion } from "./stop-words.ts";

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

let segmenter: Intl.Segmenter | undefined;

/** The text with a space between any two words, also where its script puts none; most texts come back unchanged. */
export function spacedText(text: string): string {
  if (!UNSPACED.test(text)) return text;
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

/** Lower case, without diacritics on Latin letters. */
export function wordsOf(text: string): string[] {
  // Most texts are plain.
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = spacedText(text.normalize("NFKC"))
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC");
  return plain.toLowerCase().match(WORD) ?? [];
}

/** The stems of the words that carry meaning, in order, with repeats. */
export function termsOf(text: string): string[] {
  return withoutStopWords(wordsOf(text)).map(stem);
}

/** The same of a question, in any language. */
export function termsOfQuestion(question: string): string[] {
  return withoutStopWordsOfQuestion(wordsOf(question)).map(stem);
}

/** The distinct words that a question is about, in order. When it holds no other words, its stop words count. */
export function contentWords(question: string): string[] {
  const words = [...new Set(wordsOf(question))];
  const content = withoutStopWordsOfQuestion(words);
  const subjects = content.filter((word) => !isAskingWord(word));
  if (subjects.length > 0) return subjects;
  return content.length > 0 ? content : words;
}
