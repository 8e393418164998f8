// Finds a quote in the bytes of a source, also when its white space, quotation marks and dashes are spelled in another way, or
// the marks of list items and code are left out. The span has the bytes of the source.
import { decodedText } from "../../kernel/decoded-text.ts";

/** `start` and `end`: bytes of the source. `text`: the words between them. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

/** The place where a quote differs from its source: what both say before it, and how each continues. */
export interface Difference {
  same: string;
  source: string;
  quote: string;
}

/** With fewer common signs the place is found by chance. */
const LEAST_IN_COMMON = 12;
const SHOWN_BEFORE = 80;
const SHOWN_AFTER = 160;

/** The text of a source, in which quotes are looked up. It is folded once, for the first quote that needs it. */
export class SourceText {
  readonly #bytes: Buffer;
  #read: { text: string; folded: FoldedText } | null = null;
  #unmarked: FoldedText | null = null;

  constructor(source: Uint8Array) {
    this.#bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  }

  spanOf(quote: string): Span | null {
    const start = this.#bytes.indexOf(Buffer.from(quote));
    if (quote.trim() === quote && start >= 0) return { start, end: start + Buffer.byteLength(quote), text: quote };
    const { text, folded } = this.#folded();
    const found = spanIn(folded, text, spellingsOf(quote));
    if (found !== null) return found;
    const [bare, words] = [withoutLineMarks(text), withoutLineMarks(quote)];
    if (bare === text && words === quote) return null;
    this.#unmarked ??= bare === text ? folded : new FoldedText(bare);
    return spanIn(this.#unmarked, text, spellingsOf(words));
  }

  /** Null when not even the beginning of the quote is in the source. */
  firstDifference(quote: string): Difference | null {
    const { text, folded } = this.#folded();
    const wanted = new FoldedText(quote.trim());
    const [length, at] = longestBeginning(folded.text, wanted.text);
    if (length < LEAST_IN_COMMON) return null;
    const sourceFrom = folded.endOf(at + length - 1);
    const quoteFrom = wanted.endOf(length - 1);
    return {
      same: quote
        .trim()
        .slice(Math.max(0, quoteFrom - SHOWN_BEFORE), quoteFrom)
        .toWellFormed(),
      source: text.slice(sourceFrom, sourceFrom + SHOWN_AFTER).toWellFormed(),
      quote: quote
        .trim()
        .slice(quoteFrom, quoteFrom + SHOWN_AFTER)
        .toWellFormed(),
    };
  }

  #folded(): { text: string; folded: FoldedText } {
    if (this.#read === null) {
      const text = decodedText(this.#bytes);
      this.#read = { text, folded: new FoldedText(text) };
    }
    return this.#read;
  }
}

function spanIn(folded: FoldedText, text: string, spellings: readonly string[]): Span | null {
  for (const wanted of spellings) {
    const at = wanted === "" ? -1 : folded.text.indexOf(wanted);
    if (at >= 0) return spanBetween(text, folded.startOf(at), folded.endOf(at + wanted.length - 1));
  }
  return null;
}

/** List marks at the start of a line, and fences. Who quotes over several items or lines leaves them out. */
const LINE_MARKS = /^[^\S\r\n]{0,40}(?:(?:[-*+•]|\d{1,3}[.)])(?=[^\S\r\n])|(?:`{3,}|~{3,})[^\r\n`]*$)/gmu;

/** With blanks in place of them, so that each place is where it was. */
function withoutLineMarks(text: string): string {
  return text.replace(LINE_MARKS, (mark) => " ".repeat(mark.length));
}

/** The longest beginning of `wanted` that is in `text`, and where. */
function longestBeginning(text: string, wanted: string): [length: number, at: number] {
  let [known, place, least, most] = [0, -1, 1, wanted.length];
  // When a beginning is in the text, all shorter ones are, so the search halves the length.
  while (least <= most) {
    const length = (least + most) >>> 1;
    const at = text.indexOf(wanted.slice(0, length));
    if (at < 0) most = length - 1;
    else [known, place, least] = [length, at, length + 1];
  }
  return [known, place];
}

/** The quote, and the quote without the quotation marks that a model may put around it. */
function spellingsOf(quote: string): string[] {
  const { text } = new FoldedText(quote.trim());
  const inner = /^"(.+)"$/s.exec(text)?.[1]?.trim();
  return inner === undefined ? [text] : [text, inner];
}

const SPACE = /\s/;
const QUOTATION_MARK = /["'`´‘’‚‛“”„‟‹›«»′″]/;
const DASH = /[-‐‑‒–—―−]/;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/;

/** A text with each run of white space, quotation marks or dashes as one sign, and the way back to its places. */
class FoldedText {
  readonly text: string;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(original: string) {
    const signs: string[] = [];
    this.#starts = new Uint32Array(original.length);
    this.#ends = new Uint32Array(original.length);
    for (let at = 0; at < original.length; at++) {
      const sign = foldedSign(original[at] ?? "");
      if (sign === "") continue;
      const isRun = (sign === " " || sign === '"' || sign === "-") && signs.at(-1) === sign;
      if (!isRun) this.#starts[signs.push(sign) - 1] = at;
      this.#ends[signs.length - 1] = at + 1;
    }
    this.text = signs.join("");
  }

  /** Where the sign at a folded place begins in the original. */
  startOf(place: number): number {
    return this.#starts[place] ?? 0;
  }

  endOf(place: number): number {
    return this.#ends[place] ?? 0;
  }
}

const ASCII = Array.from({ length: 128 }, (_, code) => signOf(String.fromCharCode(code)));

function foldedSign(unit: string): string {
  // Most letters are plain.
  return ASCII[unit.charCodeAt(0)] ?? signOf(unit);
}

function signOf(unit: string): string {
  if (INVISIBLE.test(unit)) return "";
  if (SPACE.test(unit)) return " ";
  if (QUOTATION_MARK.test(unit)) return '"';
  return DASH.test(unit) ? "-" : unit;
}

function spanBetween(text: string, from: number, to: number): Span {
  const start = Buffer.byteLength(text.slice(0, from));
  const found = text.slice(from, to);
  return { start, end: start + Buffer.byteLength(found), text: found };
}
