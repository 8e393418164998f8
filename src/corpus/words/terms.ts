// Cuts texts into words and terms. The index, queries and drivers all cut words here.
import { stem } from "./stem.ts";
import { isRequestWord, withoutStopWords, withoutStopWordsOfQuestion } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

export { hasUnspacedScript, isAscii, spacedText, wordsOf } from "./words.ts";

/** The stems of all words but stop words, in order, with repeats. */
export function termsOf(text: string): string[] {
  return withoutStopWords(wordsOf(text)).map(stem);
}

/** The stems of a question in any language, in order, with repeats. */
export function termsOfQuestion(question: string): string[] {
  return withoutStopWordsOfQuestion(wordsOf(question)).map(stem);
}

/** The distinct words that a question is about, in order; none for "Please tell me this:". */
export function subjectsOf(question: string): string[] {
  return withoutStopWordsOfQuestion([...new Set(wordsOf(question))]).filter((word) => !isRequestWord(word));
}

/** As `subjectsOf`; of a question without any the words that ask, or at last the stop words. */
export function contentWords(question: string): string[] {
  const subjects = subjectsOf(question);
  if (subjects.length > 0) return subjects;
  const words = [...new Set(wordsOf(question))];
  const content = withoutStopWordsOfQuestion(words);
  return content.length > 0 ? content : words;
}
