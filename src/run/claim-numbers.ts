// The numbers of a statement that nothing which it names holds. A number is the same in every spelling: 6,000, 6000, "six
// thousand".
import { literalsOf, KNOWN_NUMBERS, showsValue, valueOf } from "./arithmetic.ts";
import { NUMBER_WORDS } from "./number-words.ts";
import type { Block } from "./report.ts";
import type { Quote } from "./source.ts";

/** What a statement may take its numbers from, beside its quotes. */
export interface OtherNumbers {
  /** Of the asker. */
  question?: string;
  /** How many things stand in the lists and tables of the page. */
  counts?: readonly number[];
  /** How a number in it is computed. */
  expression?: string;
}

/** As they stand in the statement, each once. */
export function uncitedNumbers(
  text: string,
  quotes: readonly Pick<Quote, "text">[],
  { question = "", counts = [], expression }: OtherNumbers = {},
): string[] {
  const cited = [...quotes.map((quote) => quote.text), question].flatMap(numbersIn).flatMap(({ readings }) => readings);
  const exact = new Set(cited);
  const listed = new Set([...counts, listedIn(text)].map(String));
  const computed = expression === undefined ? null : valueOf(expression);
  const uncited = numbersIn(text).filter(({ word, readings, isHedged, isPointing, isShare }) => {
    if (isPointing || readings.some((reading) => exact.has(reading))) return false;
    if (readings.some((reading) => listed.has(reading))) return false;
    // "The two cost different things": what is named side by side is counted in words.
    if (!IS_DIGITS.test(word) && readings.includes(String(quotes.length))) return false;
    if (isHedged && readings.some((shown) => cited.some((one) => showsValue(shown, Number(one), true)))) return false;
    if (computed === null) return true;
    const value = isShare || word.endsWith("%") ? [computed, computed * 100] : [computed];
    return !readings.some((shown) => value.some((one) => showsValue(shown, one, isHedged)));
  });
  return [...new Set(uncited.map(({ word }) => word))];
}

/** How many things stand in the lists and tables of a page, and how many sections it has. */
export function countsOf(blocks: readonly Block[]): number[] {
  const counts = blocks.flatMap((block) => {
    if (block.kind === "list") return [block.items.length];
    return block.kind === "table" ? [block.rows.length, block.columns.length, block.columns.length - 1] : [];
  });
  const sections = blocks.filter((block) => block.kind === "heading" && block.level === 2).length;
  return [...new Set([...counts, sections, sections - 1])].filter((count) => count > 1);
}

/** The numbers of an expression that stand in nothing that it names and that not everybody knows. */
export function strangeLiterals(expression: string, named: readonly string[]): string[] {
  const known = new Set(named.flatMap(numbersIn).flatMap(({ readings }) => readings));
  return literalsOf(expression).filter((literal) => !known.has(literal) && !KNOWN_NUMBERS.has(literal));
}

/** The expression with plain decimals: of two readings of `1,234` it takes the one that stands in what is named. */
export function withPlainNumbers(expression: string, named: readonly string[]): string {
  const known = new Set(named.flatMap(numbersIn).flatMap(({ readings }) => readings));
  return expression.replace(/\d+(?:[.,]\d+)+/gu, (word) => {
    const readings = readingsOf(word);
    return readings.find((reading) => known.has(reading)) ?? readings[0] ?? word;
  });
}

/** Whether the shown words hold the value of the expression. */
export function showsResult(text: string, expression: string): boolean {
  const value = valueOf(expression);
  if (value === null) return false;
  return numbersIn(text).some(({ readings, isHedged, isShare }) =>
    readings.some((shown) =>
      (isShare ? [value, value * 100] : [value]).some((one) => showsValue(shown, one, isHedged)),
    ),
  );
}

// --- reading numbers ----------------------------------------------------------------------------------------------

interface ShownNumber {
  /** As it stands in the text. */
  word: string;
  /** Plain decimals; `1,234` and `1.234` have two. */
  readings: string[];
  /** It is called about right: "about 12 %". */
  isHedged: boolean;
  /** It points into the page: "steps 1 to 4". */
  isPointing: boolean;
  isShare: boolean;
}

/** A name with digits, digits in groups of three, other digits, or a word. */
const NUMBER =
  /\p{L}[\p{L}_]*\p{N}[\p{L}\p{N}_]*|(?<![\p{N}.,])\p{N}{1,3}(?:[ \u00a0\u202f'’]\p{N}{3})+(?:[.,]\p{N}+)?(?![\p{N}])|\p{N}+(?:[.,]\p{N}+)*|\p{L}+/gu;
const IS_DIGITS = /^\p{N}/u;
const HOLDS_DIGITS = /\p{N}/u;
const SCALES: ReadonlySet<number> = new Set([1_000, 1_000_000, 1_000_000_000]);
const HEDGE =
  /(?:\b(?:about|around|roughly|approximately|approx|some|nearly|almost|over|under|circa|ca|up to|more than|less than|at least|at most|rund|etwa|ungefähr|knapp|fast|über|unter|gut|mehr als|weniger als|bis zu|environ|presque|unos|casi|cerca de)\.?|[~≈<>≤≥])\s*$/iu;
const POINTING =
  /\b(?:steps?|items?|rows?|points?|options?|sections?|tables?|schritte?|punkte?|zeilen?|abschnitte?|tabellen?|étapes?|pasos?)(?:\s+\p{N}+\s*(?:,|to|and|or|bis|und|oder|à|et|y|-|–))*\s*$/iu;
const SHARE = /^\s*(?:%|percent|per cent|prozent|pour cent|por ciento)/iu;
/** What stands before and behind a number to tell how it is meant. */
const NEAR = 40;

function numbersIn(text: string): ShownNumber[] {
  const found: ShownNumber[] = [];
  let words: { value: number; at: number; end: number }[] = [];
  const close = (): void => {
    for (const run of sums(words)) found.push(shownAt(text, run.at, run.end, [String(run.value)]));
    words = [];
  };
  for (const { 0: word, index: at } of text.matchAll(NUMBER)) {
    const end = at + word.length;
    const isName = !IS_DIGITS.test(word) && HOLDS_DIGITS.test(word);
    const last = words.at(-1);
    const value = isName ? undefined : NUMBER_WORDS.get(word.toLowerCase());
    if (value !== undefined) {
      const digits = found.at(-1);
      if (
        SCALES.has(value) &&
        last === undefined &&
        digits !== undefined &&
        text.slice(0, at).endsWith(`${digits.word} `)
      ) {
        digits.readings.push(...digits.readings.map((reading) => String(Number(reading) * value)));
        continue;
      }
      if (last !== undefined && !/^(?:[\s-]|\s+and\s+|\s+und\s+)$/u.test(text.slice(last.end, at))) close();
      words.push({ value, at, end });
      continue;
    }
    if (/^(?:and|und)$/iu.test(word)) continue;
    close();
    // A name such as `utf8` or `x86_64` is no number.
    if (IS_DIGITS.test(word)) found.push(shownAt(text, at, end, readingsOf(word)));
  }
  close();
  return found;
}

function shownAt(text: string, at: number, end: number, readings: string[]): ShownNumber {
  const before = text.slice(Math.max(0, at - NEAR), at);
  return {
    word: text.slice(at, end),
    readings,
    isHedged: HEDGE.test(before),
    isPointing: POINTING.test(before),
    isShare: SHARE.test(text.slice(end, end + NEAR)),
  };
}

/** `6,000` is six thousand, or six in places where the comma begins the decimals. */
function readingsOf(word: string): string[] {
  const [first = "", ...further] = word.split(/['’ \u00a0\u202f]/u);
  // `1 500` is one number, or two in a row.
  if (further.length > 0) return [first, ...further, [first, ...further].join("")].flatMap(readingsOf);
  const plain = word.replace(/^0+(?=\p{N})/u, "");
  const separators = plain.match(/[.,]/gu) ?? [];
  if (separators.length === 0) return [plain];
  const kinds = new Set(separators);
  const last = separators.at(-1) ?? "";
  const groups = plain.split(/[.,]/u);
  const isGrouped = groups.slice(1).every((group) => group.length === 3) && (groups[0] ?? "").length <= 3;
  if (kinds.size === 2) {
    const at = plain.lastIndexOf(last);
    return [`${plain.slice(0, at).replace(/[.,]/gu, "")}.${plain.slice(at + 1)}`];
  }
  if (separators.length > 1) return isGrouped ? [groups.join(""), plain] : [plain];
  const decimal = plain.replace(",", ".");
  return isGrouped ? [groups.join(""), decimal] : [decimal];
}

/** Number words that follow each other are one number as far as they make one: "two hundred and five". */
function sums(
  words: readonly { value: number; at: number; end: number }[],
): { value: number; at: number; end: number }[] {
  const runs: { value: number; at: number; end: number }[] = [];
  let run: { total: number; group: number; last: number; at: number; end: number } | null = null;
  const close = (): void => {
    if (run !== null) runs.push({ value: run.total + run.group, at: run.at, end: run.end });
    run = null;
  };
  for (const { value, at, end } of words) {
    const isScale = SCALES.has(value);
    const fits: boolean =
      run !== null && (value >= 100 ? run.last < value : run.last >= 100 || (run.last >= 20 && value < 10));
    if (run === null || !fits) {
      close();
      run = { total: 0, group: 0, last: value, at, end };
      if (isScale) run.total = value;
      else run.group = value;
      continue;
    }
    if (isScale) {
      run.total += Math.max(run.group, 1) * value;
      run.group = 0;
    } else if (value === 100) run.group = Math.max(run.group, 1) * 100;
    else run.group += value;
    run.last = value;
    run.end = end;
  }
  close();
  return runs;
}

/** How many things a sentence lists itself: "three tools: a, b and c". */
function listedIn(text: string): number {
  const list = text.slice(text.search(/[:(–—]/u) + 1);
  const commas = (list.match(/[,;](?!\p{N})/gu) ?? []).length;
  const joins = (list.match(/(?<![,;])\s(?:and|or|und|oder|et|ou|y|o|&)\s/gu) ?? []).length;
  return commas + joins === 0 ? 0 : commas + joins + 1;
}
