// What the best passages have in common: words that the question does not say, by which the others are judged, too.
// Source: relevance models, Lavrenko and Croft, SIGIR 2001, mixed with the question as in RM3 (Abdul-Jaleel et al., TREC 2004).
import type { Concept } from "./occurrences.ts";
import { withoutStopWords } from "./stop-words.ts";
import { termOf } from "./term-cutter.ts";
import { wordsOf } from "./terms.ts";

export interface GoodPassage {
  title: string;
  text: string;
  score: number;
}

export const FEEDBACK_PASSAGES = 20;
const FEEDBACK_TERMS = 20;
/** What feedback may have, of all that is looked for then; the rest is what the question says itself. */
const FEEDBACK_SHARE = 0.25;
/** A model of fewer words than this is trusted by so much less: what short passages share is chance more often. */
const WORDS_OF_FULL_TRUST = 1_200;
/** Chances grow with a power of the score, so that what fits best has most of the say. */
const SCORE_POWER = 8;
/** A word of one passage alone is that passage's own affair. */
const LEAST_PASSAGES = 2;

/** Concepts by which to raise what was found; `asked` are those of the question. */
export function feedbackOf(asked: readonly Concept[], passages: readonly GoodPassage[]): Concept[] {
  const { model, words } = modelOf(passages);
  const shared = [...model].filter(([term, { held }]) => held >= LEAST_PASSAGES && isTelling(term));
  const best = shared.sort(byLikelihood).slice(0, FEEDBACK_TERMS);
  const sum = best.reduce((total, [, { likelihood }]) => total + likelihood, 0);
  const askedWeight = asked.reduce((total, { weight }) => total + weight, 0);
  const feedbackShare = FEEDBACK_SHARE * Math.min(1, words / WORDS_OF_FULL_TRUST);
  // Relative to the question, whose words have kept their own weight.
  const share = (askedWeight * feedbackShare) / (1 - feedbackShare) / sum;
  return best.map(([term, { likelihood }]) => ({ variants: [{ term, share: 1 }], weight: likelihood * share }));
}

interface Likely {
  likelihood: number;
  /** The passages that hold the term. */
  held: number;
}

/** `words`: how many the model was made of. */
function modelOf(passages: readonly GoodPassage[]): { model: Map<string, Likely>; words: number } {
  let words = 0;
  const highest = passages[0]?.score ?? 1;
  const model = new Map<string, Likely>();
  for (const { title, text, score } of passages) {
    const chance = Math.pow(score / highest, SCORE_POWER);
    const terms = withoutStopWords(wordsOf(`${title}\n${text}`)).map(termOf);
    words += terms.length;
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, times] of counts) {
      const { likelihood, held } = model.get(term) ?? { likelihood: 0, held: 0 };
      model.set(term, { likelihood: likelihood + (chance * times) / terms.length, held: held + 1 });
    }
  }
  return { model, words };
}

/** Numbers and single letters are not. */
function isTelling(term: string): boolean {
  return /\p{L}.|\p{Script=Han}/u.test(term);
}

function byLikelihood([leftTerm, left]: [string, Likely], [rightTerm, right]: [string, Likely]): number {
  return right.likelihood - left.likelihood || (leftTerm < rightTerm ? -1 : 1);
}
