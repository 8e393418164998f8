// Judges by words alone whether a sentence speaks about a part of the question.
import { termsOf } from "../../corpus/terms.ts";
import { stem } from "../../corpus/stem.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { TermWeights } from "./term-weights.ts";

/** What a term counts when it stands not in the sentence, but in the headings above it. */
const HEADING_SHARE = 0.5;
/** What it counts when it stands only in the sentences around: nothing, if the corpus lacks a word of the part. */
const PASSAGE_SHARE = 0.3;
/** Where the corpus lacks a word of the part, it may be about something else: no loose match counts. */
const MIN_COVERAGE_OF_UNKNOWN = 0.4;
const MIN_TERMS = 2;
/** "command line" in both says more than "command" and "line". */
const PAIR_BONUS = 0.15;
/** For a sentence that itself shares one word of several with the question: often an accident, so it comes last. */
const ONE_TERM_FACTOR = 0.6;
/** For a sentence in a place that speaks about the rest of the question too. */
const CONTEXT_BONUS = 0.4;

export interface Relevance {
  /** The best share of a part's weight that the sentence covers, raised for words that stand together. */
  coverage: number;
  /** The parts it speaks about; empty when it is not relevant. */
  part_ids: string[];
}

/** A part of the question with its terms weighed. */
interface WeighedPart {
  id: string;
  terms: Map<string, number>;
  totalWeight: number;
  passageShare: number;
  minCoverage: number;
  /** Terms that stand side by side in the question. */
  pairs: Set<string>;
}

export class RelevanceJudge {
  private readonly parts: WeighedPart[];
  private readonly context: TermWeights["weights"];

  /**
   * `weights` covers the whole question, `parts` what is looked for now. `minCoverage`: the share of a part's weight
   * below which a sentence does not speak about it.
   */
  constructor(parts: readonly QuestionPart[], { weights, absent }: TermWeights, minCoverage: number) {
    this.context = weights;
    this.parts = parts.map((part) => {
      const asked = termsOf(part.text);
      const terms = new Map(
        part.terms.map(stem).map((term) => [term, (weights.get(term) ?? 1) * emphasisOf(term, asked)]),
      );
      const totalWeight = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
      const isUnknown = [...terms.keys()].some((term) => absent.has(term));
      return {
        id: part.id,
        terms,
        totalWeight,
        passageShare: isUnknown ? 0 : PASSAGE_SHARE,
        minCoverage: isUnknown ? Math.max(minCoverage, MIN_COVERAGE_OF_UNKNOWN) : minCoverage,
        pairs: pairsOf(asked),
      };
    });
  }

  /** What a sentence says beside the words of the question: "error" is no objection when errors are asked about. */
  withoutQuestion(sentence: string): string {
    return sentence.replace(/[\p{L}\p{N}]+/gu, (word) => (this.context.has(stem(word.toLowerCase())) ? "" : word));
  }

  /** `headings`: what stands above the sentence; `passage`: what stands around it. */
  judge(sentence: string, headings: string, passage: string): Relevance {
    const sentenceTerms = termsOf(sentence);
    const inSentence = new Set(sentenceTerms);
    const pairs = pairsOf(sentenceTerms);
    const inHeadings = new Set(termsOf(headings));
    const inPassage = new Set(termsOf(passage));
    const relevance: Relevance = { coverage: 0, part_ids: [] };
    for (const part of this.parts) {
      const coverage = coverageOf(part, inSentence, inHeadings, inPassage);
      if (coverage < part.minCoverage) continue;
      relevance.part_ids.push(part.id);
      const shared = [...part.terms.keys()].filter((term) => inSentence.has(term)).length;
      const trust = shared < Math.min(MIN_TERMS, part.terms.size) ? ONE_TERM_FACTOR : 1;
      const sharedPairs = part.pairs.intersection(pairs).size;
      relevance.coverage = Math.max(relevance.coverage, coverage * trust * (1 + PAIR_BONUS * sharedPairs));
    }
    const context = new Set([...inSentence, ...inHeadings]);
    relevance.coverage *= 1 + CONTEXT_BONUS * shareOf(this.context, context);
    return relevance;
  }
}

function shareOf(weights: TermWeights["weights"], present: ReadonlySet<string>): number {
  let found = 0;
  let all = 0;
  for (const [term, weight] of weights) {
    all += weight;
    if (present.has(term)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/** A word that the question repeats is what it is about. */
function emphasisOf(term: string, asked: readonly string[]): number {
  return asked.indexOf(term) === asked.lastIndexOf(term) ? 1 : 2;
}

function pairsOf(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(1).map((term, index) => `${terms[index]} ${term}`));
}

/** 0 unless the sentence itself holds a term, and two of them stand in it, above it or around it. */
function coverageOf(
  { terms, totalWeight, passageShare }: WeighedPart,
  inSentence: ReadonlySet<string>,
  inHeadings: ReadonlySet<string>,
  inPassage: ReadonlySet<string>,
): number {
  let weight = 0;
  let inside = 0;
  let near = 0;
  for (const [term, termWeight] of terms) {
    if (inSentence.has(term)) {
      weight += termWeight;
      inside++;
    } else if (inHeadings.has(term)) {
      weight += termWeight * HEADING_SHARE;
      near++;
    } else if (passageShare > 0 && inPassage.has(term)) {
      weight += termWeight * passageShare;
      near++;
    }
  }
  const isEnough = inside > 0 && inside + near >= Math.min(MIN_TERMS, terms.size);
  return isEnough && totalWeight > 0 ? weight / totalWeight : 0;
}
