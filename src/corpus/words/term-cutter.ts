// Cuts texts into the terms of the index: stems of words, and the parts of camelCase names.
import { stem } from "./stem.ts";
import { isAscii, wordsOf } from "./terms.ts";
import { WordTable } from "./word-table.ts";

/** How many stems are remembered. A text of random strings must not fill the memory. */
const MAX_REMEMBERED = 100_000;
/** A longer word is data, and is found by its beginning. */
const MAX_WORD_LENGTH = 64;

const CAMEL_HUMP = /[a-z][A-Z][a-z]/;
const CAMEL_CASE = /(?<![A-Za-z0-9])[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+/g;
const CAMEL_PART = /[a-z][a-z0-9]+/g;

/** The words of a text in order, with stop words, and behind them the parts of its camelCase names. */
export function cutWords(text: string): string[] {
  const words = wordsOf(text);
  for (const part of camelParts(text)) words.push(part);
  return words;
}

const terms = new WordTable<string>((word) =>
  word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).toWellFormed() : stem(word),
);

/** The terms of the words that `cutWords` gives, in the same order. */
export function cutTerms(text: string): string[] {
  if (!isAscii(text)) return cutWords(text).map(termOf);
  if (terms.size >= MAX_REMEMBERED) terms.clear();
  const cut: string[] = [];
  terms.each(text.toLowerCase(), (term) => cut.push(term));
  for (const part of camelParts(text)) cut.push(termOf(part));
  return cut;
}

/** The parts of camelCase names: `parse` and `options` of `parseOptions`. */
export function camelParts(text: string): string[] {
  if (!CAMEL_HUMP.test(text)) return [];
  const names = text.match(CAMEL_CASE) ?? [];
  return names.flatMap(
    (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).match(CAMEL_PART) ?? [],
  );
}

/** The term of a word that `wordsOf` has cut. */
export function termOf(word: string): string {
  if (terms.size >= MAX_REMEMBERED) terms.clear();
  return terms.of(word);
}
