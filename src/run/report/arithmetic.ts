// Computes the expressions of derived numbers: plus, minus, times, divided by and brackets over plain decimals.

const MAX_LENGTH = 500;
const TOKEN = /\d+(?:\.\d+)?|[-+*/()]|\S/gu;
const IS_NUMBER = /^\d/u;
const SAME_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[×·⋅]/gu, "*"],
  [/[÷:]/gu, "/"],
  [/[−–]/gu, "-"],
];

/** Numbers that are commonly known: days of a week, hours, minutes, percent, days of a year, and the steps of units. */
export const KNOWN_NUMBERS: ReadonlySet<string> = new Set(
  [7, 12, 24, 60, 100, 365, 1_000, 1_024, 3_600, 1_000_000, 1_048_576].map((number) => String(number)),
);

/** Null when the text is no such expression, or when its value is not finite. */
export function valueOf(expression: string): number | null {
  const tokens = tokensOf(expression);
  if (tokens === null) return null;
  const value = new Reader(tokens).read();
  return value === null || !Number.isFinite(value) ? null : value;
}

export function literalsOf(expression: string): string[] {
  return (tokensOf(expression) ?? []).filter((token) => IS_NUMBER.test(token));
}

/**
 * True when a shown number represents a value. It may be off by half of its last digit. A number that is called approximate
 * may be off by a tenth of the value. `shown` is a plain decimal.
 */
export function showsValue(shown: string, value: number, isHedged: boolean): boolean {
  const difference = Math.abs(Number(shown) - Math.abs(value));
  const decimals = shown.split(".")[1]?.length ?? 0;
  const halfOfLastDigit = 0.5 * 10 ** -decimals;
  // Binary fractions are a little off.
  const tolerance = Math.max(halfOfLastDigit, isHedged ? Math.abs(value) / 10 : 0) * (1 + 1e-9);
  return difference <= tolerance;
}

function tokensOf(expression: string): string[] | null {
  if (expression.length > MAX_LENGTH) return null;
  const plain = SAME_SIGNS.reduce((text, [sign, same]) => text.replace(sign, same), expression);
  return plain.match(TOKEN) ?? [];
}

/** Reads from left to right, products before sums. */
class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  read(): number | null {
    const value = this.#sum();
    return this.#at === this.#tokens.length ? value : null;
  }

  #sum(): number | null {
    let value = this.#product();
    for (let sign = this.#sign("+", "-"); sign !== null && value !== null; sign = this.#sign("+", "-")) {
      const next = this.#product();
      value = next === null ? null : sign === "+" ? value + next : value - next;
    }
    return value;
  }

  #product(): number | null {
    let value = this.#factor();
    for (let sign = this.#sign("*", "/"); sign !== null && value !== null; sign = this.#sign("*", "/")) {
      const next = this.#factor();
      value = next === null ? null : sign === "*" ? value * next : value / next;
    }
    return value;
  }

  #factor(): number | null {
    if (this.#sign("-") !== null) {
      const value = this.#factor();
      return value === null ? null : -value;
    }
    if (this.#sign("(") !== null) {
      const value = this.#sum();
      return this.#sign(")") === null ? null : value;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined || !IS_NUMBER.test(token)) return null;
    this.#at++;
    return Number(token);
  }

  #sign(...wanted: string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.#at++;
    return token;
  }
}
