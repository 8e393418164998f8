// Finds the numbers of a statement that are in nothing it rests on. Spelling does not matter: 6,000, 6000, "six thousand".
import { literalsOf, KNOWN_NUMBERS, showsValue, valueOf } from "./arithmetic.ts";
import type { Block } from "./report.ts";
import { numbersIn, readingsOf, type ShownNumber } from "./shown-numbers.ts";
import type { Quote } from "./source.ts";

const IS_DIGITS = /^\p{N}/u;

/** What a statement may take its numbers from, next to its quotes. */
interface OtherNumbers {
  question?: string;
  /** How many things are in the lists and tables of the page. */
  counts?: readonly number[];
  /** How a number in it is computed. */
  expression?: string;
}

/** The numbers that nothing holds, as they are in the statement, each once. */
export function uncitedNumbers(
  text: string,
  quotes: readonly Pick<Quote, "text">[],
  { question = "", counts = [], expression }: OtherNumbers = {},
): string[] {
  const shown = numbersIn(text);
  // Reading the numbers of long quotes takes long, and most sentences have none.
  if (shown.length === 0) return [];
  const texts = [...quotes.map((quote) => quote.text), question];
  const cited = allReadings(texts);
  const exact = new Set(cited);
  // "The two cost different things": a statement may count its own quotes in words.
  const sides = String(quotes.length);
  const listed = new Set([...counts, listedIn(text)].filter((count) => count > 0).map(String));
  const computed = expression === undefined ? null : valueOf(expression);
  const isShown = expression !== undefined && showsResult(text, expression);
  const uncited = shown.filter((number) => {
    const { word, readings, isHedged, isPointing, isMeasure } = number;
    if (isPointing || readings.some((reading) => exact.has(reading))) return false;
    if (!isMeasure && readings.some((reading) => listed.has(reading))) return false;
    if (!isMeasure && !IS_DIGITS.test(word) && readings.includes(sides)) return false;
    if (isHedged && readings.some((reading) => cited.some((one) => isNear(reading, Number(one), number)))) return false;
    if (computed === null) return true;
    return !showsComputed(number, computed) && !(isShown && isRoundedUp(number, computed));
  });
  if (uncited.length === 0) return [];
  const outsideNames = new Set(numbersIn(withNamesOf(texts, text)).map(({ word }) => word));
  return [...new Set(uncited.map(({ word }) => word))].filter((word) => outsideNames.has(word));
}

/** How many things are in the lists and tables of a page, and how many sections it has. */
export function countsOf(blocks: readonly Block[]): number[] {
  const counts = blocks.flatMap((block) => {
    if (block.kind === "list") return [block.items.length + (block.start ?? 1) - 1];
    return block.kind === "table" ? [block.rows.length, block.columns.length, block.columns.length - 1] : [];
  });
  const sections = blocks.filter((block) => block.kind === "heading" && block.level === 2).length;
  return [...new Set([...counts, sections, sections - 1])].filter((count) => count > 1);
}

/** The numbers of an expression that are in nothing it names and are not commonly known. */
export function strangeLiterals(expression: string, named: readonly string[]): string[] {
  const known = new Set(allReadings(named));
  return literalsOf(expression).filter((literal) => !known.has(literal) && !KNOWN_NUMBERS.has(literal));
}

/** The expression with plain decimals. Where `1,234` can be read in two ways, the reading that is in `named` is taken. */
export function withPlainNumbers(expression: string, named: readonly string[]): string {
  const known = new Set(allReadings(named));
  return expression.replace(/\d+(?:[.,]\d+)+/gu, (word) => {
    const readings = readingsOf(word);
    return readings.find((reading) => known.has(reading)) ?? readings[0] ?? word;
  });
}

export function showsResult(text: string, expression: string): boolean {
  const value = valueOf(expression);
  if (value === null) return false;
  return numbersIn(text).some((number) => showsComputed(number, value));
}

/** An expression over "5.2 million" and "3.1 million" may leave out the millions. */
function showsComputed(number: ShownNumber, value: number): boolean {
  const values = number.isShare ? [value, value * 100] : [value];
  return [...number.readings, ...number.unscaled].some((shown) =>
    values.some((one) => showsValue(shown, one, false) || isNear(shown, one, number)),
  );
}

/** "It needs 7.3 GB: order 8." Below 1 it may be a share, and "more than 8" is not true of 7.3. */
function isRoundedUp({ readings, isShare, bound }: ShownNumber, value: number): boolean {
  // Binary fractions are a little off: 1.1 * 1.1 * 100 is a little more than 121.
  const isWhole = Math.abs(value - Math.round(value)) <= value * 1e-9;
  return !isShare && bound !== "least" && value >= 1 && !isWhole && readings.includes(String(Math.ceil(value)));
}

/** True for a value about as large as shown, and on the side that the words say: "over 100" is not 91. */
function isNear(shown: string, value: number, { isHedged, bound }: ShownNumber): boolean {
  if (!isHedged || !showsValue(shown, value, true)) return false;
  return bound === null || (bound === "least" ? value >= Number(shown) : value <= Number(shown));
}

/** Every reading of every number in the texts: `1 500` may be two numbers, and a table may say "million" in its head alone. */
function allReadings(texts: readonly string[]): string[] {
  const all = texts
    .flatMap(numbersIn)
    .flatMap(({ readings, unscaled, pieces }) => [...readings, ...unscaled, ...pieces]);
  const one = texts.some((text) => /\bone\b/iu.test(text)) ? ["1"] : [];
  return [...all, ...one, ...all.flatMap(withoutZeros), ...all.flatMap(versionOf)];
}

/** A release 2.6.12 is one of version 2.6. */
function versionOf(reading: string): string[] {
  return /^\d+\.\d+(?=\.)/u.exec(reading)?.slice(0, 1) ?? [];
}

/** A price of 55.00 is 55. But a version 2.10 is not 2.1, and three zeros may mean thousands. */
function withoutZeros(reading: string): string[] {
  return /\.00?$/u.test(reading) ? [reading.replace(/\.0+$/u, "")] : [];
}

/** The text with names spelled as in the others: "RAID 10" where a quote has "raid10". */
function withNamesOf(texts: readonly string[], text: string): string {
  const names = new Set(
    texts.flatMap((one) => one.toLowerCase().match(/(?<!\p{L})\p{L}+\p{N}+(?![\p{L}\p{N}])/gu) ?? []),
  );
  return text.replace(
    /(?<!\p{L})(\p{L}+)[ -](\p{N}+)(?![.,]?[\p{L}\p{N}])/gu,
    (spaced, word: string, digits: string) =>
      names.has(`${word}${digits}`.toLowerCase()) ? `${word}${digits}` : spaced,
  );
}

/** How many things a sentence lists: "three tools: a, b and c". */
function listedIn(text: string): number {
  const list = text.slice(text.search(/[:(–—]/u) + 1);
  const commas = (list.match(/[,;](?!\p{N})/gu) ?? []).length;
  const joins = (list.match(/(?<![,;])\s(?:and|or|und|oder|et|ou|y|o|&)\s/gu) ?? []).length;
  return commas + joins === 0 ? 0 : commas + joins + 1;
}
