// The units of numbers, as people write them in English, German and Japanese: data.

export interface Unit {
  dimension: string;
  /** How many of the dimension's smallest unit it is. */
  factor: number;
}

const UNITS: readonly (readonly [dimension: string, factor: number, written: string])[] = [
  ["share", 1, "% percent prozent パーセント"],
  ["time", 1e-3, "ms msec milliseconds millisecond millisekunden ミリ秒"],
  ["time", 1, "s sec secs second seconds sekunde sekunden 秒"],
  ["time", 60, "min mins minute minutes minuten 分 分間"],
  ["time", 3_600, "h hr hrs hour hours stunde stunden 時間"],
  ["time", 86_400, "d day days tag tage tagen 日 日間"],
  ["time", 604_800, "week weeks woche wochen 週間"],
  ["time", 2_629_800, "month months monat monate monaten か月 ヶ月 カ月"],
  ["time", 31_557_600, "year years jahr jahre jahren 年 年間"],
  ["length", 1e-3, "mm millimetre millimetres millimeter millimeters ミリ"],
  ["length", 1e-2, "cm centimetre centimetres centimeter centimeters zentimeter センチ"],
  ["length", 1, "m metre metres meter meters metern メートル"],
  ["length", 1_000, "km kilometre kilometres kilometer kilometers kilometern キロメートル"],
  ["mass", 1e-3, "mg milligram milligrams milligramm"],
  ["mass", 1, "g gram grams gramm グラム"],
  ["mass", 1_000, "kg kilogram kilograms kilogramm キログラム"],
  ["mass", 1e6, "t ton tons tonne tonnes tonnen トン"],
  ["volume", 1e-3, "ml millilitre millilitres milliliter milliliters ミリリットル"],
  ["volume", 1, "l litre litres liter liters litern リットル"],
  ["temperature in °C", 1, "°c ℃ degrees grad 度"],
  ["temperature in °F", 1, "°f"],
  ["storage", 1, "byte bytes"],
  ["storage", 1e3, "kb kib kilobytes kilobyte"],
  ["storage", 1e6, "mb mib megabytes megabyte"],
  ["storage", 1e9, "gb gib gigabytes gigabyte"],
  ["storage", 1e12, "tb tib terabytes terabyte"],
  ["money in euros", 1, "€ eur euro euros ユーロ"],
  ["money in dollars", 1, "$ usd dollar dollars ドル"],
  ["money in yen", 1, "円 yen ¥"],
  ["power", 1, "w watt watts ワット"],
  ["power", 1_000, "kw kilowatt kilowatts"],
  ["energy", 1, "wh"],
  ["energy", 1_000, "kwh"],
  ["speed", 1, "km/h kmh"],
  ["pressure", 1, "bar"],
  ["frequency", 1, "hz"],
  ["frequency", 1e6, "mhz"],
  ["frequency", 1e9, "ghz"],
];

const BY_NAME: ReadonlyMap<string, Unit> = new Map(
  UNITS.flatMap(([dimension, factor, written]) =>
    written.split(" ").map((name) => [name, { dimension, factor }] as const),
  ),
);

/** Longest first, so that "km/h" is not read as "km". */
const NAMES = [...BY_NAME.keys()].sort((left, right) => right.length - left.length);

/** The unit with which a text begins, and how it is written there; letters may not go on behind it. */
export function unitAt(text: string): { unit: Unit; written: string } | null {
  const lower = text.slice(0, MAX_NAME).toLowerCase();
  for (const name of NAMES) {
    if (!lower.startsWith(name)) continue;
    const next = text.slice(name.length, name.length + 1);
    const isWhole =
      /[\p{L}\p{N}]/u.test(name.at(-1) ?? "") && IS_SPACED.test(name) ? !/[\p{L}\p{N}]/u.test(next) : true;
    const unit = BY_NAME.get(name);
    if (isWhole && unit !== undefined) return { unit, written: text.slice(0, name.length) };
  }
  return null;
}

const MAX_NAME = 16;
const IS_SPACED = /^[\p{Script=Latin}/°]+$/u;
