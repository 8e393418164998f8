// Joins the lines of a paragraph, and makes words whole that were hyphenated at the end of a line.
import { PAGE_END } from "../blocks/anchors.ts";
import type { Line } from "./pdf-lines.ts";

const CJK = /[\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/;
const MIN_WORD_LENGTH = 4;
const HYPHEN = /(?<=\p{L})[-\u00AD\u2010]$/u;
/** An address that was cut behind one of its signs, and continues in the next line. */
export const ADDRESS_GOES_ON = /\w:\/\/[^\s)]*[./?&=_-]$/;
/** Before a conjunction the hyphen stands for a word and stays: "Ein- und Ausgang". */
const CONJUNCTION = /^(und|oder|bzw|sowie|and|or|to|et|ou|en|of)\b/;

export class LineJoiner {
  private readonly words: ReadonlySet<string>;

  /** `lines` are all lines of the document: their words show which hyphens belong to words. */
  constructor(lines: readonly string[]) {
    const words = new Set<string>();
    let isCut = false;
    for (const line of lines) {
      const begun = isCut ? line.replace(/^\S+/, "") : line;
      isCut = /[-\u00AD\u2010]$/.test(line);
      const whole = isCut ? begun.replace(/\S+$/, "") : begun;
      for (const word of whole.toLowerCase().match(/[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*/gu) ?? []) words.add(word);
    }
    this.words = words;
  }

  joined(lines: readonly Line[]): string {
    const parts: string[] = [];
    let last = 0;
    for (const { text, page } of lines) {
      const before = parts.pop();
      // Only the last line matters. To search the whole paragraph for each line would be quadratic.
      if (before === undefined) parts.push(text);
      else if (page === last) parts.push(...this.join(before, text));
      else parts.push(...this.joinPages(before, text));
      last = page;
    }
    return parts.join("");
  }

  /** A word that the end of a page cut goes whole to the page where it begins. */
  private joinPages(before: string, next: string): [string, string] {
    const [end, begin] = this.join(before, next);
    const isCut = HYPHEN.test(before) && !end.endsWith(" ");
    return [end.trimEnd(), isCut ? begin.replace(/^(\S*)\s*/, `$1${PAGE_END}`) : PAGE_END + begin];
  }

  /** The last line, with a space or without its hyphen, and the next one. */
  private join(before: string, next: string): [string, string] {
    if (/^[\p{Ll}\p{N}]/u.test(next) && ADDRESS_GOES_ON.test(before)) return [before, next];
    const hyphen = HYPHEN.exec(before)?.[0];
    if (hyphen === undefined) {
      const isTight = /(?:[\p{L}\p{N}]-|[—/])$/u.test(before);
      const isCjk = CJK.test(before.at(-1) ?? "") && CJK.test(next[0] ?? "");
      return [isTight || isCjk ? before : `${before} `, next];
    }
    const without = before.slice(0, -1);
    if (hyphen === "\u00AD") return [without, next];
    if (CONJUNCTION.test(next)) return [`${before} `, next];
    if (!/^\p{Ll}/u.test(next)) return [before, next];
    return [this.keepsHyphen(without, next) ? before : without, next];
  }

  private keepsHyphen(before: string, next: string): boolean {
    const first = /[\p{L}\p{N}-]+$/u.exec(before)?.[0].toLowerCase() ?? "";
    const second = /^[\p{L}\p{N}]+/u.exec(next)?.[0].toLowerCase() ?? "";
    if (this.words.has(first + second)) return false;
    if (this.words.has(`${first}-${second}`)) return true;
    // Both parts are words in the document, and it never joins them.
    const areWords = this.words.has(first) && this.words.has(second);
    return areWords && Math.min(first.length, second.length) >= MIN_WORD_LENGTH;
  }
}
