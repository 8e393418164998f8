// Finds the stop words of a question in other languages than English and German, by the lists of a package.
import { QUESTION_WORDS } from "./question-words.ts";
import { wordsOf } from "./words.ts";

/** `stop-words.ts` has lists for these without words that people ask about. */
const OWN_LISTS: ReadonlySet<string> = new Set(["en", "de"]);
/** Fewer words without accents may be stop words by chance: "tar" and "en" are Swedish ones. */
const MIN_LATIN_WORDS = 3;
const ASCII_WORD = /^[a-z0-9]*$/;

/** The words of each language in one line, with a space before and behind each word. */
type Lines = ReadonlyMap<string, string>;
let stopLines: Lines | undefined;
let askingLines: Lines | undefined;

/**
 * The stop words among the words of a question. Its language is the one whose words that ask stand in it, or else the one whose
 * stop words cover most of the words. If several languages cover as many, only the stop words of all of them count. English and
 * German have none here.
 */
export function stopWordsOfLanguage(words: readonly string[]): ReadonlySet<string> {
  stopLines ??= readStopLists();
  askingLines ??= linesOf([...QUESTION_WORDS]);
  const asking = mostCovering(words, askingLines);
  const { languages, inAll, most } = mostCovering(words, stopLines);
  const isOwn = languages.some((language) => OWN_LISTS.has(language));
  if (asking.most > 0 && !(isOwn && most > asking.most)) {
    const known = new Map([...stopLines].filter(([language]) => asking.languages.includes(language)));
    return new Set([...asking.inAny, ...mostCovering(words, known).inAll]);
  }
  const least = words.every((word) => ASCII_WORD.test(word)) ? MIN_LATIN_WORDS : 1;
  if (most < least || isOwn) return new Set();
  return new Set(inAll);
}

/** How many of the words are stop words, by language. */
export function languagesCovering(words: readonly string[]): ReadonlyMap<string, number> {
  stopLines ??= readStopLists();
  return new Map(
    [...stopLines].map(([language, line]) => [language, words.filter((word) => line.includes(` ${word} `)).length]),
  );
}

/** The languages that have the most of the words, with the words that all of them have, and those that any of them has. */
function mostCovering(words: readonly string[], lines: Lines) {
  const own = new Map(
    words.map((word) => [
      word,
      [...lines].filter(([, line]) => line.includes(` ${word} `)).map(([language]) => language),
    ]),
  );
  const covered = Map.groupBy([...own.values()].flat(), (language) => language);
  const most = Math.max(0, ...[...covered.values()].map(({ length }) => length));
  const languages = [...covered.keys()].filter((language) => covered.get(language)?.length === most);
  const has = (word: string, language: string): boolean => own.get(word)?.includes(language) === true;
  const inAll = words.filter((word) => languages.length > 0 && languages.every((language) => has(word, language)));
  const inAny = words.filter((word) => languages.some((language) => has(word, language)));
  return { most, languages, inAll, inAny };
}

/** Loaded at the first question, since most commands have none. The file is of a pinned package, so no schema parses it. */
function readStopLists(): Lines {
  const lists = require("stopwords-iso/stopwords-iso.json") as Readonly<Record<string, readonly string[]>>;
  return linesOf(Object.entries(lists).map(([language, words]) => [language, words.join(" ")]));
}

/** In the form of `wordsOf`: "aujourd'hui" is two words. */
function linesOf(lists: readonly (readonly [string, string])[]): Lines {
  return new Map(lists.map(([language, words]) => [language, ` ${wordsOf(words).join(" ")} `]));
}
