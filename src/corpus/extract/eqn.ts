// Formulas of eqn(1) inside of lines, between delimiters that the page chooses, and what between .EQ and .EN is none.
import { LEFT_OUT } from "./dom-placeholders.ts";

/** Lines that define words or set sizes, and show nothing. */
const SETTING = /^\s*(?:(?:delim|[nt]?define|gsize|g[bir]?font|set|include|copy|undef)\b|#|$)/;
const MAX_FORMULA_LENGTH = 500;

export function isFormula(lines: readonly string[]): boolean {
  return lines.some((line) => !SETTING.test(line));
}

export class EqnDelimiters {
  private between: RegExp | null = null;

  /** Reads the lines between `.EQ` and `.EN`. */
  learn(lines: readonly string[]): void {
    for (const line of lines) {
      const [, chosen] = /^\s*delim\s+(off|on|\S\S)/.exec(line) ?? [];
      if (chosen === "off") this.between = null;
      if (chosen === undefined || /^o(?:ff|n)$/.test(chosen)) continue;
      const [open = "", close = ""] = Array.from(chosen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
      this.between = new RegExp(`${open}[^${open}${close}]{1,${MAX_FORMULA_LENGTH}}${close}`, "gu");
    }
  }

  marked(text: string): string {
    return this.between === null ? text : text.replace(this.between, LEFT_OUT.formula);
  }
}
