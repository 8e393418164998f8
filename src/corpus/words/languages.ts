// Decides whether a text is in another language than a question, by scripts, stop words, and words that ask.
import { languagesCovering } from "./stop-lists.ts";
import { wordsOf } from "./words.ts";

/** Words that show the language of a text. */
const LEAST_TELLING = 2;
/** A language that covers less than this share of what another one covers is not the one of a text. */
const FAR = 0.65;
/** The short lists of stopwords-iso: a text in such a language resembles one of a neighbour, as Ukrainian like Russian. */
const HARDLY_LISTED: ReadonlySet<string> = new Set("af et eu ha hy ku la mr so st sw uk yo zu".split(" "));
/** How much of a text is examined. */
const [MOST_CHARACTERS, MOST_WORDS] = [20_000, 300];
/** A single Latin letter may be a unit or a piece of a word, and a number is of every language. */
const SHOWS_LANGUAGE = /\p{L}{2}|(?!\p{Script=Latin})\p{L}/u;
/** It is in no language, or in English everywhere. */
const CODE = /(`{3,}|~{3,})[^]*?(?:\1|$)|`[^`\n]*`/gu;
const LATIN = /\p{Script=Latin}/gu;
const OTHER_SCRIPTS: readonly RegExp[] = [
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ...["Cyrillic", "Greek", "Arabic", "Hebrew", "Thai", "Hangul", "Devanagari"].map(
    (script) => new RegExp(`\\p{Script=${script}}`, "gu"),
  ),
];

/** False where it is not certain. Code does not count. A question is short, so its language is the one that covers most of it. */
export function isInAnotherLanguage(text: string, question: string): boolean {
  const said = text.replace(CODE, " ");
  return differ(scriptsOf(said), scriptsOf(question)) || differ(languagesOf(said, FAR), languagesOf(question, 1));
}

function differ<T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean {
  return some.size > 0 && others.size > 0 && some.isDisjointFrom(others);
}

/** The one of most letters, or all; texts of every script hold names and code in Latin letters, so most of these show nothing. */
function scriptsOf(text: string): ReadonlySet<RegExp> {
  const shown = text.slice(0, MOST_CHARACTERS);
  const lettersIn = (script: RegExp): number => shown.match(script)?.length ?? 0;
  const others = OTHER_SCRIPTS.filter((script) => lettersIn(script) > 0);
  const most = others.find((script) => lettersIn(script) > lettersIn(/\p{L}/gu) / 2);
  if (most !== undefined) return new Set([most]);
  return new Set(lettersIn(LATIN) > 0 ? [LATIN, ...others] : others);
}

/** Those that the text may be in; none where it is not certain. `far`: the share of the most that one has to cover. */
function languagesOf(text: string, far: number): ReadonlySet<string> {
  const covered = languagesCovering(distinctWords(text).filter((word) => SHOWS_LANGUAGE.test(word)));
  const most = Math.max(...covered.values());
  const near = [...covered.keys()].filter((language) => (covered.get(language) ?? 0) >= most * far);
  return new Set(most < LEAST_TELLING || near.some((language) => HARDLY_LISTED.has(language)) ? [] : near);
}

export function distinctWords(text: string): string[] {
  return [...new Set(wordsOf(text.slice(0, MOST_CHARACTERS)))].slice(0, MOST_WORDS);
}
