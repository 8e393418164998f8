// Numbers as words, in English and German, with their digits.

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

/** Without "one", which mostly counts nothing. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...FROM_TWO.flatMap((words, index) => words.split(" ").map((word) => [word, index + 2] as const)),
  ...FROM_TWENTY.flatMap((words, index) => words.split(" ").map((word) => [word, (index + 2) * 10] as const)),
  ["hundred", 100],
  ["hundert", 100],
  ["thousand", 1_000],
  ["tausend", 1_000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
]);

/** What multiplies the digits before it. */
export const SCALE_WORDS: ReadonlyMap<string, number> = new Map([
  ["thousand", 1_000],
  ["tausend", 1_000],
  ["million", 1_000_000],
  ["millions", 1_000_000],
  ["millionen", 1_000_000],
  ["mio", 1_000_000],
  ["millones", 1_000_000],
  ["billion", 1_000_000_000],
  ["milliarde", 1_000_000_000],
  ["milliarden", 1_000_000_000],
  ["mrd", 1_000_000_000],
  ["milliards", 1_000_000_000],
]);
