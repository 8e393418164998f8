// How much each word of the question tells, asked of the corpus itself: rare words tell more than common ones.
import { stem } from "../../corpus/stem.ts";
import type { Passage } from "../../ports/provider.ts";

/** Even a word that stands everywhere tells this share of what the rarest tells. */
const FLOOR = 0.2;

export interface TermWeights {
  /** By stem. A word that the corpus does not hold weighs as much as the rarest: leaving it unanswered must cost. */
  weights: ReadonlyMap<string, number>;
  /** Stems that the corpus does not hold. */
  absent: ReadonlySet<string>;
}

export async function weighTerms(
  words: readonly string[],
  search: (query: string, limit: number) => Promise<Passage[]>,
): Promise<TermWeights> {
  const scores = new Map<string, number>();
  const absent = new Set<string>();
  for (const word of words) {
    const term = stem(word);
    if (scores.has(term)) continue;
    // The best passage for one word alone is scored by little else than the word's rarity.
    const [best] = await search(word, 1);
    if (best === undefined) absent.add(term);
    scores.set(term, best?.score ?? 0);
  }
  const rarest = Math.max(...scores.values(), Number.EPSILON);
  const weightOf = (term: string, score: number): number => (absent.has(term) ? 1 : Math.max(score / rarest, FLOOR));
  return { weights: new Map([...scores].map(([term, score]) => [term, weightOf(term, score)])), absent };
}
