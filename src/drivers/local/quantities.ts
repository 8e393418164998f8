// The numbers of a sentence with what they count: a unit, or the word that stands behind them.
import { NUMBER_WORDS } from "../../run/number-words.ts";
import type { Lexicon } from "./lexicon.ts";
import { unitAt } from "./units.ts";

export interface Quantity {
  /** As it stands in the text, with its unit. */
  written: string;
  /** In the smallest unit of its dimension. */
  value: number;
  /** What two quantities must have in common to be compared. */
  dimension: string;
  /** String offset. */
  start: number;
}

const DIGITS =
  /(?<![\p{Script=Latin}\p{N}.,:/_-])[-−]?\p{Nd}+(?:[.,]\p{Nd}+)*(?![.,:]?\p{Nd})|[一二三四五六七八九十百千万]+(?=か月|ヶ月|カ月|週間|年|日|時間|分|秒|円|度|メートル|グラム|リットル)/u;
const WORDS = new RegExp(`(?<!\\p{L}|-)(?:one|${[...NUMBER_WORDS.keys()].join("|")})(?!\\p{L})`, "iu");
const NUMBER = new RegExp(`${DIGITS.source}|${WORDS.source}`, "giu");
const CURRENCY_BEFORE = /([€$¥])\s?$/u;
/** 2021 and 1.2.3 name something and count nothing. */
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const VERSION = /^\d+\.\d+\.\d+/;
const SPACE = /^[\s\u00a0\u202f-]?/u;
const COUNTED_WORD = /^\s([\p{L}][\p{L}\p{M}-]{2,})/u;

/** What may count something, whatever stands behind it. */
export function numbersOf(text: string): { digits: string; start: number; isYear: boolean }[] {
  return [...text.matchAll(NUMBER)]
    .filter(([digits]) => !VERSION.test(digits))
    .map(({ 0: digits, index }) => ({ digits, start: index, isYear: YEAR.test(digits) }));
}

export function quantitiesOf(text: string, lexicon: Lexicon): Quantity[] {
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const [digits] = match;
    if (VERSION.test(digits)) return [];
    const value = valueOf(digits, lexicon);
    const measured = measuredAt(text, match.index, digits);
    if (measured !== null) {
      const { dimension, factor, written, start } = measured;
      return [{ written, value: value * factor, dimension, start }];
    }
    // "One" counts where a unit follows.
    if (YEAR.test(digits) || digits.toLowerCase() === "one") return [];
    const counted = COUNTED_WORD.exec(text.slice(match.index + digits.length));
    const [term] = counted === null ? [] : lexicon.termsOf(counted[1] ?? "");
    if (counted === null || term === undefined) return [];
    return [{ written: digits + counted[0], value, dimension: `number of ${term}`, start: match.index }];
  });
}

function measuredAt(
  text: string,
  start: number,
  digits: string,
): { dimension: string; factor: number; written: string; start: number } | null {
  const before = CURRENCY_BEFORE.exec(text.slice(Math.max(0, start - 2), start));
  if (before !== null) {
    const found = unitAt(before[1] ?? "");
    if (found !== null) return { ...found.unit, written: before[0] + digits, start: start - before[0].length };
  }
  const behind = text.slice(start + digits.length);
  const space = SPACE.exec(behind)?.[0] ?? "";
  const found = unitAt(behind.slice(space.length));
  return found === null ? null : { ...found.unit, written: digits + space + found.written, start };
}

/** German writes 1.000,5 where English writes 1,000.5. */
function valueOf(digits: string, { language }: Lexicon): number {
  const [thousands, decimal] = language === "german" ? [".", ","] : [",", "."];
  if (/\p{Script=Han}/u.test(digits)) return kanjiValue(digits);
  const word = digits.toLowerCase() === "one" ? 1 : NUMBER_WORDS.get(digits.toLowerCase());
  if (word !== undefined) return word;
  const plain = digits.normalize("NFKC").replace("−", "-");
  const isGrouped = new RegExp(`^-?\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\${decimal}\\d+)?$`).test(plain);
  return Number(
    (isGrouped ? plain.replaceAll(thousands, "") : plain.replaceAll(thousands, decimal)).replace(decimal, "."),
  );
}

const KANJI_DIGITS = "〇一二三四五六七八九";
const KANJI_POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

/** 二百五十 is 250, 三万 is 30,000. */
function kanjiValue(digits: string): number {
  let [tenThousands, sum, digit] = [0, 0, 0];
  for (const character of digits) {
    const power = KANJI_POWERS[character];
    if (character === "万") [tenThousands, sum, digit] = [(sum + digit || 1) * 10_000, 0, 0];
    else if (power === undefined) digit = digit * 10 + KANJI_DIGITS.indexOf(character);
    else [sum, digit] = [sum + (digit || 1) * power, 0];
  }
  return tenThousands + sum + digit;
}
