// Finds the stop words of a question in other languages than English and German, by the lists of a package.
import { QUESTION_WORDS } from "./question-words.ts";
import { wordsOf } from "./words.ts";

/** `stop-words.ts` has lists for these without words that people ask about. */
const OWN_LISTS: ReadonlySet<string> = new Set(["en", "de"]);
/** Fewer words without accents may be stop words by chance: "tar" and "en" are Swedish ones. */
const MIN_LATIN_WORDS = 3;
const ASCII_WORD = /^[a-z0-9]*$/;

/** The words of each language. */
type Lists = ReadonlyMap<string, ReadonlySet<string>>;
let stopLists: Lists | undefined;
let questionLists: Lists | undefined;

/**
 * The stop words among the words of a question. Its language is the one whose words that ask are in it, or else the one whose
 * stop words cover most of the words. If several languages cover as many, only the stop words of all of them count. English and
 * German have none here.
 */
export function stopWordsOfLanguage(words: readonly string[]): ReadonlySet<string> {
  const byQuestionWords = mostCovering(words, wordsThatAsk());
  const { languages, inAll, most } = mostCovering(words, stopWords());
  const isOwn = languages.some((language) => OWN_LISTS.has(language));
  if (byQuestionWords.most > 0 && !(isOwn && most > byQuestionWords.most)) {
    const known = new Map([...stopWords()].filter(([language]) => byQuestionWords.languages.includes(language)));
    return new Set([...byQuestionWords.inAny, ...mostCovering(words, known).inAll]);
  }
  const least = words.every((word) => ASCII_WORD.test(word)) ? MIN_LATIN_WORDS : 1;
  if (most < least || isOwn) return new Set();
  return new Set(inAll);
}

/** How many of the words each language has: its stop words, and once more those that ask. */
export function languagesCovering(words: readonly string[]): ReadonlyMap<string, number> {
  const countIn = (list?: ReadonlySet<string>): number => words.filter((word) => list?.has(word)).length;
  return new Map(
    [...stopWords()].map(([language, list]) => [language, countIn(list) + countIn(wordsThatAsk().get(language))]),
  );
}

/** The languages that have the most of the words, with the words that all of them have, and those that any of them has. */
function mostCovering(words: readonly string[], lists: Lists) {
  const own = new Map(
    words.map((word) => [word, [...lists].filter(([, list]) => list.has(word)).map(([language]) => language)]),
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
function stopWords(): Lists {
  if (stopLists !== undefined) return stopLists;
  const lists = require("stopwords-iso/stopwords-iso.json") as Readonly<Record<string, readonly string[]>>;
  return (stopLists = listsOf(Object.entries(lists).map(([language, words]) => [language, words.join(" ")])));
}

function wordsThatAsk(): Lists {
  return (questionLists ??= listsOf([...QUESTION_WORDS]));
}

/** In the form of `wordsOf`: "aujourd'hui" is two words. */
function listsOf(lists: readonly (readonly [string, string])[]): Lists {
  return new Map(lists.map(([language, words]) => [language, new Set(wordsOf(words))]));
}
