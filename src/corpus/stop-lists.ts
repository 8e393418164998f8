// Finds the stop words of a question in other languages than English and German, by the lists of a package.

/** `stop-words.ts` has lists for these without words that people ask about. */
const OWN_LISTS: ReadonlySet<string> = new Set(["en", "de"]);
/** Fewer words without accents may be stop words by chance: "tar" and "en" are Swedish ones. */
const MIN_LATIN_WORDS = 3;
const ASCII_WORD = /^[a-z0-9]*$/;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;
const MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;

/** The stop words of each language in one line, with a space before and behind each word. */
let lines: ReadonlyMap<string, string> | undefined;

/**
 * The stop words among the words of a question. Its language is the one whose stop words cover most of the words. If several
 * languages cover as many, only the stop words of all of them count. English and German have none here.
 */
export function stopWordsOfLanguage(words: readonly string[]): ReadonlySet<string> {
  const languagesOfWord = new Map(words.map((word) => [word, languagesOf(word)]));
  const covered = Map.groupBy([...languagesOfWord.values()].flat(), (language) => language);
  const most = Math.max(0, ...[...covered.values()].map(({ length }) => length));
  const languages = [...covered.keys()].filter((language) => covered.get(language)?.length === most);
  const least = words.every((word) => ASCII_WORD.test(word)) ? MIN_LATIN_WORDS : 1;
  if (most < least || languages.some((language) => OWN_LISTS.has(language))) return new Set();
  const inAll = [...languagesOfWord].filter(([, known]) => languages.every((language) => known.includes(language)));
  return new Set(inAll.map(([word]) => word));
}

function languagesOf(word: string): string[] {
  lines ??= readLines();
  return [...lines].filter(([, line]) => line.includes(` ${word} `)).map(([language]) => language);
}

/** Loaded at the first question, since most commands have none. The file is of a pinned package, so no schema parses it. */
function readLines(): ReadonlyMap<string, string> {
  const lists = require("stopwords-iso/stopwords-iso.json") as Readonly<Record<string, readonly string[]>>;
  return new Map(Object.entries(lists).map(([language, words]) => [language, ` ${asCompared(words)} `]));
}

/** The words in the form of `wordsOf`: "aujourd'hui" is two words. */
function asCompared(words: readonly string[]): string {
  const plain = words.join(" ").normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase();
  return plain.replace(BETWEEN_WORDS, " ");
}
