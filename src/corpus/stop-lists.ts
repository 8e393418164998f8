// The stop words of other languages than English and German, and by them the language of a question.
import { z } from "../kernel/schema.ts";

const listsSchema = z.record(z.string(), z.array(z.string()));

/** They have lists of their own, which leave no word out that people ask about. */
const OWN_LISTS: ReadonlySet<string> = new Set(["en", "de"]);
/** So many words without accents: fewer may be stop words of some language by chance ("tar" and "en" of Swedish). */
const MIN_LATIN_WORDS = 3;
const ASCII_WORD = /^[a-z0-9]*$/;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u;
const MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;

let languagesByWord: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * The words of a question that are stop words in its language: the one whose stop words cover most of its words. Where several
 * cover as many, the words that are stop words in all of them; none for English and German.
 */
export function stopWordsOfLanguage(words: readonly string[]): ReadonlySet<string> {
  const distinct = [...new Set(words)];
  const covered = new Map<string, number>();
  for (const word of distinct)
    for (const language of languagesOf(word)) covered.set(language, (covered.get(language) ?? 0) + 1);
  const most = Math.max(0, ...covered.values());
  const languages = [...covered.keys()].filter((language) => covered.get(language) === most);
  const least = distinct.every((word) => ASCII_WORD.test(word)) ? MIN_LATIN_WORDS : 1;
  if (most < least || languages.some((language) => OWN_LISTS.has(language))) return new Set();
  return new Set(distinct.filter((word) => languages.every((language) => languagesOf(word).includes(language))));
}

function languagesOf(word: string): readonly string[] {
  languagesByWord ??= readLists();
  return languagesByWord.get(word) ?? [];
}

/** Read at the first question: no command that searches nothing waits for it. */
function readLists(): ReadonlyMap<string, readonly string[]> {
  const lists = listsSchema.parse(require("stopwords-iso/stopwords-iso.json"));
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(lists)) {
    for (const word of asCompared(words)) {
      const known = languages.get(word);
      if (known === undefined) languages.set(word, [language]);
      else if (known.at(-1) !== language) known.push(language);
    }
  }
  return languages;
}

/** As words are cut and compared; "aujourd'hui" is two words. */
function asCompared(words: readonly string[]): string[] {
  const plain = words.join(" ").normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase();
  return plain.split(BETWEEN_WORDS).filter((word) => word !== "");
}
