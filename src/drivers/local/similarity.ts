// Tells sentences that say the same apart from those that do not: equal but for markup, or made of the same words.
import { termsOf } from "../../corpus/terms.ts";

const NEAR_DUPLICATE = 0.7;

/** The sentences chosen so far. */
export class Novelty {
  private readonly seen: Set<string>[] = [];

  isNew(sentence: string): boolean {
    const terms = new Set(termsOf(sentence));
    return !this.seen.some((other) => overlap(terms, other) >= NEAR_DUPLICATE);
  }

  add(sentence: string): void {
    this.seen.push(new Set(termsOf(sentence)));
  }
}

function overlap(left: Set<string>, right: Set<string>): number {
  const shared = left.intersection(right).size;
  const all = left.size + right.size - shared;
  return all === 0 ? 1 : shared / all;
}
