// The numbers of a claim that no quote of it holds. An English number word counts as its digits.
import type { Quote } from "./source.ts";

const NUMBER = /\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu;
const IS_DIGITS = /^\p{N}/u;

const TO_TWELVE = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const TO_NINETEEN = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/** Without "one", which mostly counts nothing. */
const DIGITS_OF: ReadonlyMap<string, string> = new Map([
  ...[...TO_TWELVE, ...TO_NINETEEN].map((word, index) => [word, String(index + 2)] as const),
  ...TENS.map((word, index) => [word, String((index + 2) * 10)] as const),
  ["hundred", "100"],
  ["thousand", "1000"],
  ["million", "1000000"],
  ["billion", "1000000000"],
]);

/** As they stand in the claim, each once. */
export function uncitedNumbers(text: string, quotes: readonly Pick<Quote, "text">[]): string[] {
  const quoted = new Set(quotes.flatMap((quote) => numbersIn(quote.text).map(({ digits }) => digits)));
  const uncited = numbersIn(text).filter(({ digits }) => !quoted.has(digits));
  return [...new Set(uncited.map(({ word }) => word))];
}

function numbersIn(text: string): { word: string; digits: string }[] {
  return (text.match(NUMBER) ?? []).flatMap((word) => {
    const digits = IS_DIGITS.test(word) ? word : DIGITS_OF.get(word.toLowerCase());
    return digits === undefined ? [] : [{ word, digits }];
  });
}
