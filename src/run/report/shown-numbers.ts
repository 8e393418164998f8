// Reads the numbers of a text, in digits or as words, and how they are meant.
import { NUMBER_WORDS, SCALE_WORDS } from "./number-words.ts";

export interface ShownNumber {
  /** As it is in the text. */
  word: string;
  /** Plain decimals; `1,234` and `1.234` have two. */
  readings: string[];
  /** The readings without a scale word: the 5 of "5 million". */
  unscaled: string[];
  /** The parts of digits that may be several numbers in a row: the 1 and the 500 of "1 500". */
  pieces: string[];
  /** It is approximate: "about 12 %". */
  isHedged: boolean;
  /** The true value is at least ("over 12 %") or at most ("under 12 %") the number. */
  bound: "least" | "most" | null;
  /** It points into the page ("steps 1 to 4") or back ("neither of the two"), or names a version ("v2.1"). */
  isPointing: boolean;
  isShare: boolean;
  /** It is a measure: "5 ms", "€ 5", "5 %", "5 calls per second". Such a number counts nothing on the page. */
  isMeasure: boolean;
}

/**
 * A currency before digits, a version (`v0.11.12`), a name with digits (`utf8`, `NT-11`, `ISO-8859-1`), digits in groups of
 * three, other digits, or a word. A word holds its underscores, so that each letter is visited once.
 */
const NUMBER =
  /(?<![\p{L}\p{N}_])(?:EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN)(?=\p{N})|(?<![\p{L}\p{N}_])[vV]\p{N}+(?:\.\p{N}+)+|(?:\p{L}[\p{L}_]*|(?<![\p{L}\p{N}_])(?!EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN)\p{Lu}{1,6}-)\p{N}[\p{L}\p{N}_]*(?:-\p{N}[\p{L}\p{N}_]*)*|(?<![\p{N}.,])\p{N}{1,3}(?:[ \u00a0\u202f'’]\p{N}{3})+(?:[.,]\p{N}+)?(?![\p{N}])|\p{N}+(?:[.,]\p{N}+)*|\p{L}+(?:_+\p{L}+)*/gu;
const IS_DIGITS = /^\p{N}/u;
const HOLDS_DIGITS = /\p{N}/u;
const SCALES: ReadonlySet<number> = new Set([1_000, 1_000_000, 1_000_000_000]);
const AT_LEAST = /(?:\b(?:over|more than|at least|über|gut|mehr als|mindestens|plus de|más de)|[>≥])\s*$/iu;
const AT_MOST =
  /(?:\b(?:under|up to|less than|at most|nearly|almost|unter|knapp|fast|weniger als|höchstens|bis zu|moins de|presque|menos de|casi)|[<≤])\s*$/iu;
const ABOUT =
  /(?:\b(?:about|around|roughly|approximately|approx|some|circa|ca|rund|etwa|ungefähr|environ|unos|cerca de)\.?|[~≈])\s*$/iu;
const POINTING =
  /\b(?:steps?|items?|rows?|points?|options?|sections?|tables?|schritte?|punkte?|zeilen?|abschnitte?|tabellen?|étapes?|pasos?)(?:\s+\p{N}+\s*(?:,|to|and|or|bis|und|oder|à|et|y|-|–))*\s*$/iu;
/** "neither of the three", "the two": a number word behind these words counts nothing. */
const POINTING_OF = /\b(?:of|von) (?:the|these|those|den|diesen) $/iu;
const POINTING_AT_TWO = /\b(?:the|these|those|die|den|diese|diesen) $/iu;
const IS_VERSION = /^v\p{N}/iu;
/** No page has more steps, sections or tables to point at. */
const MOST_POINTED_AT = 50;
const CURRENCY = /(?:[$€£¥]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN))\s*$/u;
const UNIT =
  /^[\s-]*(?:[%‰°$€£¥]|(?:[nµm]?s|sec|min|h|d|[KMGT]i?B|kB|bytes?|[kMG]?bits?|[kMG]?Hz|[kcm]?m|[kmµ]?g|l|k?Wh?|V|EUR|USD|GBP|CHF|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|per cent|times (?:as|more|less|\p{L}+er)|fold|euros?|dollars?|pounds?|Sekunden?|Minuten?|Stunden?|Tagen?|Tage|Wochen?|Monaten?|Monate|Jahren?|Jahre|Prozent|mal|secondes?|heures?|jours?|mois|ans|pour cent|fois|segundos?|minutos?|horas?|días?|meses|años?|por ciento|veces|\p{L}+ (?:per|pro|par|por))(?![\p{L}\p{N}]))/u;
const SHARE = /^\s*(?:%|percent|per cent|prozent|pour cent|por ciento)/iu;
/** Separators of groups: `1 500` is one number, or two in a row. */
const IN_GROUPS = /['’ \u00a0\u202f]/u;
const IN_GROUPS_ALL = new RegExp(IN_GROUPS, "gu");
/** How many characters before and after a number show how it is meant. */
const NEAR = 40;

export function numbersIn(text: string): ShownNumber[] {
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
    const digits = found.at(-1);
    const scale = SCALE_WORDS.get(word.toLowerCase());
    if (scale !== undefined && last === undefined && digits?.unscaled.length === 0 && precedes(digits.word, text, at)) {
      digits.unscaled = digits.readings;
      digits.readings = digits.readings.map((reading) => scaled(reading, scale));
      digits.isMeasure = UNIT.test(text.slice(end, end + NEAR));
      continue;
    }
    const value = isName ? undefined : NUMBER_WORDS.get(word.toLowerCase());
    if (value !== undefined) {
      if (last !== undefined && !/^(?:[\s-]|\s+and\s+|\s+und\s+)$/u.test(text.slice(last.end, at))) close();
      words.push({ value, at, end });
      continue;
    }
    if (/^(?:and|und)$/iu.test(word)) continue;
    close();
    // A name such as `utf8` or `x86_64` is no number.
    if (IS_DIGITS.test(word)) found.push(shownAt(text, at, end, readingsOf(word)));
    else if (isName && IS_VERSION.test(word)) found.push(shownAt(text, at, end, [word.slice(1)]));
  }
  close();
  return found;
}

/** True when the word is just before the place, with a blank in between. */
function precedes(word: string, text: string, at: number): boolean {
  return text.slice(0, at).trimEnd().endsWith(word) && /[\s\u00a0\u202f]$/u.test(text.slice(0, at));
}

/** Rounds, since binary fractions are a little off: 4.35 million are 4350000. */
function scaled(reading: string, scale: number): string {
  return String(Number((Number(reading) * scale).toPrecision(15)));
}

function shownAt(text: string, at: number, end: number, readings: string[]): ShownNumber {
  const [before, behind] = [text.slice(Math.max(0, at - NEAR), at), text.slice(end, end + NEAR)];
  const bound = AT_LEAST.test(before) ? "least" : AT_MOST.test(before) ? "most" : null;
  const word = text.slice(at, end);
  const isMeasure = UNIT.test(behind) || CURRENCY.test(before);
  return {
    word,
    readings,
    unscaled: [],
    pieces: IS_DIGITS.test(word) && IN_GROUPS.test(word) ? word.split(IN_GROUPS).flatMap(readingsOf) : [],
    isHedged: bound !== null || ABOUT.test(before),
    bound,
    isPointing: IS_VERSION.test(word) || (!isMeasure && isPointingAt(before, word, readings)),
    isShare: SHARE.test(behind),
    isMeasure,
  };
}

function isPointingAt(before: string, word: string, readings: readonly string[]): boolean {
  if (POINTING.test(before)) return readings.every((reading) => Number(reading) <= MOST_POINTED_AT);
  if (IS_DIGITS.test(word)) return false;
  return POINTING_OF.test(before) || (readings.includes("2") && POINTING_AT_TWO.test(before));
}

/** `6,000` is six thousand, or six in places where the comma begins the decimals. */
export function readingsOf(word: string): string[] {
  const plain = word.replace(IN_GROUPS_ALL, "").replace(/^0+(?=\p{N})/u, "");
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

/** Puts number words together as long as they form one number: "two hundred and five". */
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
