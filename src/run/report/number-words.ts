// The values of number words in English and German.

const FROM_TWO = [
  "two zwei",
  "three drei",
  "four vier",
  "five fünf",
  "six sechs",
  "seven sieben",
  "eight acht",
  "nine neun",
  "ten zehn",
  "eleven elf",
  "twelve zwölf",
  "thirteen dreizehn",
  "fourteen vierzehn",
  "fifteen fünfzehn",
  "sixteen sechzehn",
  "seventeen siebzehn",
  "eighteen achtzehn",
  "nineteen neunzehn",
];
const FROM_TWENTY = [
  "twenty zwanzig",
  "thirty dreißig",
  "forty vierzig",
  "fifty fünfzig",
  "sixty sechzig",
  "seventy siebzig",
  "eighty achtzig",
  "ninety neunzig",
];

const THOUSAND = "thousand tausend";

/** Without "one", which rarely counts anything. */
export const NUMBER_WORDS = valuesOf([
  ...FROM_TWO.map((words, index) => [words, index + 2] as const),
  ...FROM_TWENTY.map((words, index) => [words, (index + 2) * 10] as const),
  ["hundred hundert", 100],
  [THOUSAND, 1_000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
]);

/** Words that multiply the digits before them. */
export const SCALE_WORDS = valuesOf([
  [THOUSAND, 1_000],
  ["million millions millionen mio millones", 1_000_000],
  ["billion milliarde milliarden mrd milliards", 1_000_000_000],
]);

function valuesOf(rows: readonly (readonly [words: string, value: number])[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)));
}
