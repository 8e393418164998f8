// Folds near duplicates: the first passage stays, and counts those that share nearly all its runs of words.
import { wordsOf } from "../words/terms.ts";

/** The number of words in a run. */
const SHINGLE = 4;
/** The share of all runs of two passages that both have to hold. */
const ALIKE = 0.9;
/** Shorter passages are alike by chance. */
const LEAST_WORDS = 16;

export class Fold<T extends { similar?: number }> {
  readonly kept: T[] = [];
  private readonly seen: { passage: T; shingles: ReadonlySet<string> }[] = [];

  /** Keeps the passage, or adds it to the count of an earlier one. */
  add(passage: T, text: string): void {
    const shingles = shinglesOf(text);
    const like = this.seen.find((earlier) => areAlike(earlier.shingles, shingles));
    if (like !== undefined) {
      like.passage.similar = (like.passage.similar ?? 0) + 1;
      return;
    }
    this.kept.push(passage);
    if (shingles.size > 0) this.seen.push({ passage, shingles });
  }
}

function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text);
  const shingles = new Set<string>();
  if (words.length < LEAST_WORDS) return shingles;
  for (let at = 0; at + SHINGLE <= words.length; at++) shingles.add(words.slice(at, at + SHINGLE).join(" "));
  return shingles;
}

function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  if (Math.min(left.size, right.size) < ALIKE * Math.max(left.size, right.size)) return false;
  let shared = 0;
  for (const shingle of left) if (right.has(shingle)) shared++;
  return shared >= ALIKE * (left.size + right.size - shared);
}
