// Raises passages in which the words of a question are near each other, as in "command line" or `v1.2.3`.
// Source: Rasolofo and Savoy, Term Proximity Scoring for Keyword-Based Retrieval Systems, ECIR 2003.
import { cutTerms } from "../words/term-cutter.ts";

/** Two terms further apart than this many words are not a pair. */
const WINDOW = 5;
const SATURATION = 1.2;
/** A pair is worth half as much as its rarer term. */
const SHARE = 0.5;

interface Pair {
  weight: number;
  sum: number;
}

/** The score of the pairs of query terms in a text. `weights` has the weight of each query term. */
export function nearnessOf(text: string, weights: ReadonlyMap<string, number>): number {
  const pairs = new Map<string, Pair>();
  let recent: { term: string; at: number; weight: number }[] = [];
  for (const [at, term] of cutTerms(text).entries()) {
    const weight = weights.get(term);
    if (weight === undefined) continue;
    recent = recent.filter((earlier) => at - earlier.at <= WINDOW && earlier.term !== term);
    for (const earlier of recent) {
      const key = earlier.term < term ? `${earlier.term} ${term}` : `${term} ${earlier.term}`;
      const pair = pairs.get(key) ?? { weight: Math.min(weight, earlier.weight), sum: 0 };
      pair.sum += 1 / (at - earlier.at) ** 2;
      pairs.set(key, pair);
    }
    recent.push({ term, at, weight });
  }
  let score = 0;
  for (const { weight, sum } of pairs.values()) score += (SHARE * weight * sum * (SATURATION + 1)) / (SATURATION + sum);
  return score;
}
