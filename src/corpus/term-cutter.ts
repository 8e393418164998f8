// Cuts texts into the terms under which passages are found: stems of words, and the parts of camelCase names.
import { stem } from "./stem.ts";
import { isAscii, wordsOf } from "./terms.ts";
import { WordTable } from "./word-table.ts";

/** Words that are remembered with their stems; a text of random strings must not fill the memory. */
const MAX_REMEMBERED = 100_000;
/** What is longer is data, not a word; it is cut, so that it is found by its beginning. */
const MAX_WORD_LENGTH = 64;

const CAMEL_HUMP = /[a-z][A-Z][a-z]/;
const CAMEL_CASE = /(?<![A-Za-z0-9])[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+/g;
const CAMEL_PART = /[a-z][a-z0-9]+/g;

/** The words of a text in their order, and behind them the parts of its camelCase names; stop words are among them. */
export function cutWords(text: string): string[] {
  const words = wordsOf(text);
  for (const part of camelParts(text)) words.push(part);
  return words;
}

const terms = new WordTable<string>((word) =>
  word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH).toWellFormed() : stem(word),
);

/** The terms of a text: its words, each as `termOf` has it. */
export function cutTerms(text: string): string[] {
  if (!isAscii(text)) return cutWords(text).map(termOf);
  if (terms.size >= MAX_REMEMBERED) terms.clear();
  const cut: string[] = [];
  terms.each(text.toLowerCase(), (term) => cut.push(term));
  for (const part of camelParts(text)) cut.push(termOf(part));
  return cut;
}

/** `parse` and `options` of `parseOptions`, beside which the whole name is a word, too. */
export function camelParts(text: string): string[] {
  if (!CAMEL_HUMP.test(text)) return [];
  const names = text.match(CAMEL_CASE) ?? [];
  return names.flatMap(
    (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).match(CAMEL_PART) ?? [],
  );
}

/** Expects a word as `wordsOf` cuts it. */
export function termOf(word: string): string {
  if (terms.size >= MAX_REMEMBERED) terms.clear();
  return terms.of(word);
}
