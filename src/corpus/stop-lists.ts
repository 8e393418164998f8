// The stop words of other languages than English and German, and by them the language of a question.
/** They have lists of their own, which leave no word out that people ask about. */
const OWN_LISTS: ReadonlySet<string> = new Set(["en", "de"]);
/** So many words without accents: fewer may be stop words of some language by chance ("tar" and "en" of Swedish). */
const MIN_LATIN_WORDS = 3;
const ASCII_WORD = /^[a-z0-9]*$/;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;
const MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;

/** By language: its stop words in one line, a space before and behind each. */
let lines: ReadonlyMap<string, string> | undefined;

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

function languagesOf(word: string): string[] {
  lines ??= readLines();
  return [...lines].filter(([, line]) => line.includes(` ${word} `)).map(([language]) => language);
}

/** Loaded at the first question, since most commands ask none. The file belongs to a pinned package: it is code, not input. */
function readLines(): ReadonlyMap<string, string> {
  const lists = require("stopwords-iso/stopwords-iso.json") as Readonly<Record<string, readonly string[]>>;
  return new Map(Object.entries(lists).map(([language, words]) => [language, ` ${asCompared(words)} `]));
}

/** As words are cut and compared; "aujourd'hui" is two words. */
function asCompared(words: readonly string[]): string {
  const plain = words.join(" ").normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase();
  return plain.replace(BETWEEN_WORDS, " ");
}
