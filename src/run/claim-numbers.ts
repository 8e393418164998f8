// The numbers of a claim that no quote of it holds. A number word counts as its digits.
import { NUMBER_WORDS } from "./number-words.ts";
import type { Quote } from "./source.ts";

const NUMBER = /\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu;
const IS_DIGITS = /^\p{N}/u;

/** As they stand in the claim, each once. */
export function uncitedNumbers(text: string, quotes: readonly Pick<Quote, "text">[]): string[] {
  const quoted = new Set(quotes.flatMap((quote) => numbersIn(quote.text).map(({ digits }) => digits)));
  const uncited = numbersIn(text).filter(({ digits }) => !quoted.has(digits));
  return [...new Set(uncited.map(({ word }) => word))];
}

function numbersIn(text: string): { word: string; digits: string }[] {
  return (text.match(NUMBER) ?? []).flatMap((word) => {
    const digits = IS_DIGITS.test(word) ? word : NUMBER_WORDS.get(word.toLowerCase())?.toString();
    return digits === undefined ? [] : [{ word, digits }];
  });
}
