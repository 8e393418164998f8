// The words of a part of the question with their weights, and how many of them a text holds.
import { worthOfEntries } from "../../corpus/blocks/entries.ts";
import { isInflected, rootOf, shareOf } from "../../corpus/search/question-terms.ts";
import { isGerman } from "../../corpus/words/stop-words.ts";
import { cutWords, termOf } from "../../corpus/words/term-cutter.ts";
import { hasUnspacedScript, wordsOf } from "../../corpus/words/terms.ts";
import type { QuestionPart } from "../../run/report/research.ts";
import { queryOf } from "./question.ts";
import { hasSigned, isSigned } from "./signed-words.ts";
import { asShown } from "./spelling.ts";

/** For each of the words, 0 to 1: 1 when the text has the word, less when it has a compound of it. */
export type Shares = readonly number[];

export class PartWords {
  readonly #words: readonly string[];
  readonly #shown: readonly string[];
  readonly #weights: readonly number[];
  readonly #total: number;
  readonly #placeOf: ReadonlyMap<string, number>;
  /** The roots of words that also count in other forms and compounds, as in a search. */
  readonly #roots: readonly { root: string; place: number }[];

  constructor(part: QuestionPart) {
    const { text, terms, weights = [], absent = [] } = part;
    const given = terms.map((_, place) => weights[place] ?? 1);
    this.#words = terms;
    this.#shown = asShown(terms, queryOf(part));
    // When the whole corpus shares every word, all of them have the same weight.
    this.#weights = given.some((weight) => weight > 0) ? given : given.map(() => 1);
    this.#total = this.#weights.reduce((sum, weight) => sum + weight, 0);
    this.#placeOf = new Map(terms.map((word, place) => [termOf(word), place]));
    const noneHolds = new Set(absent.flatMap(wordsOf));
    const inGerman = isGerman(wordsOf(text));
    this.#roots = terms.flatMap((word, place) => {
      if (isSigned(word)) return [];
      const hasForms = inGerman || isInflected(word) || hasUnspacedScript(word) || noneHolds.has(word);
      const root = hasForms ? rootOf(word) : null;
      return root === null ? [] : [{ root, place }];
    });
  }

  sharesIn(text: string): Shares {
    const shares = this.#words.map(() => 0);
    for (const word of cutWords(text)) {
      const place = this.#placeOf.get(termOf(word));
      if (place !== undefined) shares[place] = 1;
      for (const { root, place: at } of this.#roots)
        if (word.startsWith(root)) shares[at] = Math.max(shares[at] ?? 0, shareOf(word, root));
    }
    for (const [place, word] of this.#words.entries())
      if (isSigned(word)) shares[place] = hasSigned(text, word) ? 1 : 0;
    return shares;
  }

  /** The share of the weight of all words, 0 to 1. */
  weigh(shares: Shares): number {
    const held = shares.reduce((sum, share, place) => sum + share * (this.#weights[place] ?? 0), 0);
    return this.#total === 0 ? 0 : held / this.#total;
  }

  /** True when one of the words is the term of an entry of the text. */
  defines(text: string): boolean {
    const worth = new Map([...this.#placeOf].map(([term, at]) => [term, this.#weights[at] ?? 0]));
    return worthOfEntries(text, worth, worth.size / 2) > 0;
  }

  /** The words with a weight that the shares lack, as the question spells them. */
  lackedBy(shares: Shares): string[] {
    return this.#shown.filter((_, place) => this.#counts(place) && (shares[place] ?? 0) === 0);
  }

  /** Those whose text holds two words with a weight, or is the entry of one; those that hold one where none does. */
  touchedAmong<T>(all: readonly T[], textOf: (one: T) => string): T[] {
    const counted = this.#words.filter((_, place) => this.#counts(place)).length;
    const countIn = (text: string): number =>
      counted - this.lackedBy(this.sharesIn(text)).length + Number(this.defines(text));
    const held = new Map(all.map((one) => [one, countIn(textOf(one))]));
    const holding = (least: number): T[] => all.filter((one) => (held.get(one) ?? 0) >= least);
    const touched = holding(2);
    return touched.length > 0 ? touched : holding(1);
  }

  #counts(place: number): boolean {
    return (this.#weights[place] ?? 0) > 0;
  }
}
