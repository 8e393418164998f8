// Folds passages that say nearly the same: the best one stays and counts the others.
import { wordsOf } from "./terms.ts";

/** Words in a row that are compared. */
const SHINGLE = 4;
/** Of the shingles of both, those they share. */
const ALIKE = 0.9;
/** Shorter ones are alike by chance. */
const LEAST_WORDS = 16;

/** Remembers the passages that stay. */
export class Fold<T extends { similar?: number }> {
  readonly kept: T[] = [];
  private readonly seen: { passage: T; shingles: ReadonlySet<string> }[] = [];

  /** Keeps the passage, or counts it with the one it is like. */
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
