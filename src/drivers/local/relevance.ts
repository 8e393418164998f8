// Judges by words alone whether a sentence speaks about a part of the question.
import type { QuestionPart } from "../../run/research.ts";
import type { Lexicon } from "./lexicon.ts";
import { isName } from "./term-weights.ts";

/** What a term counts when it stands not in the sentence, but in the headings above it. */
const NEAR_SHARE = 0.6;
/** What it counts when it stands only in the sentences around. */
const AROUND_SHARE = 0.3;
/** "command line" in both says more than "command" and "line". */
const PAIR_BONUS = 0.12;
/** For a sentence that itself shares one word of several with the question. */
const ONE_TERM_FACTOR = 0.7;
/** What a word counts that a part took over from another one. */
const INHERITED_SHARE = 0.5;
/** For a sentence in a place that speaks about the rest of the question too. */
const CONTEXT_BONUS = 0.25;
/** For a sentence that itself lacks the word that tells most. */
const KEY_ABOVE_FACTOR = 0.85;
const KEY_AROUND_FACTOR = 0.6;
/** A word that tells so much more than the others on average: without it a sentence is about something else. */
const KEY_RATIO = 1.2;
/** A part of which the corpus lacks more than this share is about something that the corpus does not hold. */
const MAX_ABSENT_SHARE = 0.33;

/** The terms of a sentence, of what stands above it, and of what stands around it. */
export interface Place {
  sentence: readonly string[];
  above: ReadonlySet<string>;
  around: ReadonlySet<string>;
}

export interface Relevance {
  /** The best share of a part's weight that the sentence covers, raised for words that stand together. */
  coverage: number;
  /** The parts it speaks about; empty when it is not relevant. */
  part_ids: string[];
}

interface WeighedTerm {
  term: string;
  weight: number;
  isStrong: boolean;
  /** False when another part of the question asks for it first. */
  isOwn: boolean;
  /** Terms of one compound word name one thing together. */
  compound: string;
}

interface WeighedPart {
  id: string;
  terms: WeighedTerm[];
  totalWeight: number;
  minCoverage: number;
  /** Terms that stand side by side in the question. */
  pairs: Set<string>;
  /** The term without which nothing is about this part. */
  key: string | null;
  /** How many things its strong terms name. */
  strongCount: number;
  /** False when the corpus lacks what the part is about. */
  isHeld: boolean;
}

export class RelevanceJudge {
  readonly lexicon: Lexicon;
  private readonly parts: WeighedPart[];
  private readonly question: WeighedTerm[];

  /** `allParts`: the whole question; `parts`: what is looked for now; `strictness`: 1, or less to judge more loosely. */
  constructor(parts: readonly QuestionPart[], allParts: readonly QuestionPart[], lexicon: Lexicon, strictness: number) {
    this.lexicon = lexicon;
    this.parts = parts.map((part) => weighed(part, lexicon, strictness));
    this.question = allParts.flatMap((part) => weighedTerms(part, lexicon));
  }

  /** What a sentence says beside the words of the question: "error" is no objection when errors are asked about. */
  withoutQuestion(sentence: string): string {
    const asked = new Set(this.question.map(({ term }) => term));
    return sentence.replace(/[\p{L}\p{N}]+/gu, (word) =>
      asked.has(this.lexicon.termOf(word.toLowerCase())) ? "" : word,
    );
  }

  judge(place: Place): Relevance {
    const inside = new Set(place.sentence);
    const sides = pairsOf(place.sentence);
    const relevance: Relevance = { coverage: 0, part_ids: [] };
    for (const part of this.parts) {
      const found = this.find(part, inside, place);
      if (!speaks(part, found)) continue;
      relevance.part_ids.push(part.id);
      const trust = found.inside.size < Math.min(2, part.strongCount) ? ONE_TERM_FACTOR : 1;
      const together = 1 + PAIR_BONUS * part.pairs.intersection(sides).size;
      relevance.coverage = Math.max(relevance.coverage, found.coverage * found.keyFactor * trust * together);
    }
    relevance.coverage *= 1 + CONTEXT_BONUS * this.shareOfQuestion(inside, place.above);
    return relevance;
  }

  private find(part: WeighedPart, inside: ReadonlySet<string>, { above, around }: Place): Found {
    const found: Found = {
      own: 0,
      coverage: 0,
      inside: new Set(),
      above: new Set(),
      keyFactor: part.key === null ? 1 : 0,
    };
    for (const { term, weight, isStrong, isOwn, compound } of part.terms) {
      const isInside = this.lexicon.holds(inside, term);
      const isAbove = !isInside && this.lexicon.holds(above, term);
      const isAround = !isInside && !isAbove && this.lexicon.holds(around, term);
      found.coverage += weight * (isInside ? 1 : isAbove ? NEAR_SHARE : isAround ? AROUND_SHARE : 0);
      if (isStrong && isOwn && (isInside || isAbove)) found.own++;
      if (isStrong && isInside) found.inside.add(compound);
      if (isStrong && isAbove) found.above.add(compound);
      if (term === part.key)
        found.keyFactor = isInside ? 1 : isAbove ? KEY_ABOVE_FACTOR : isAround ? KEY_AROUND_FACTOR : 0;
    }
    found.coverage = part.totalWeight === 0 ? 0 : found.coverage / part.totalWeight;
    return found;
  }

  private shareOfQuestion(inside: ReadonlySet<string>, above: ReadonlySet<string>): number {
    let found = 0;
    let all = 0;
    for (const { term, weight } of this.question) {
      all += weight;
      if (this.lexicon.holds(inside, term) || this.lexicon.holds(above, term)) found += weight;
    }
    return all === 0 ? 0 : found / all;
  }
}

interface Found {
  /** Strong terms of the part itself, in the sentence or above it. */
  own: number;
  coverage: number;
  /** Compounds of strong terms. */
  inside: Set<string>;
  above: Set<string>;
  /** 0 when the word that tells most stands nowhere near. */
  keyFactor: number;
}

function speaks({ terms, strongCount, minCoverage, isHeld }: WeighedPart, found: Found): boolean {
  if (found.own === 0 && terms.some(({ isStrong, isOwn }) => isStrong && isOwn)) return false;
  if (!isHeld || found.keyFactor === 0 || found.inside.size < Math.min(1, strongCount)) return false;
  return found.inside.union(found.above).size >= Math.min(2, strongCount) && found.coverage >= minCoverage;
}

function weighed(part: QuestionPart, lexicon: Lexicon, strictness: number): WeighedPart {
  const terms = weighedTerms(part, lexicon);
  const totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0);
  const absent = new Set((part.absent ?? []).map((word) => lexicon.termOf(word)));
  const absentWeight = terms.reduce((sum, { term, weight }) => sum + (absent.has(term) ? weight : 0), 0);
  const lacksName = (part.absent ?? []).some((word) => isName(word, part.text, lexicon));
  const strong = terms.filter(({ term, isStrong }) => isStrong && !absent.has(term));
  const strongCount = new Set(terms.filter(({ isStrong }) => isStrong).map(({ compound }) => compound)).size;
  return {
    id: part.id,
    terms,
    totalWeight,
    strongCount,
    minCoverage: minCoverageFor(strongCount) * strictness,
    pairs: pairsOf(lexicon.termsOf(part.text)),
    key: keyOf(strong),
    isHeld: !lacksName && absentWeight <= totalWeight * MAX_ABSENT_SHARE,
  };
}

function keyOf(terms: readonly WeighedTerm[]): string | null {
  const [heaviest] = [...terms].sort((left, right) => right.weight - left.weight);
  const average = terms.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, terms.length);
  return heaviest !== undefined && heaviest.weight >= average * KEY_RATIO ? heaviest.term : null;
}

/** No sentence holds all the words of a long question. */
function minCoverageFor(strongTerms: number): number {
  if (strongTerms <= 3) return 0.68;
  if (strongTerms === 4) return 0.6;
  return strongTerms <= 6 ? 0.5 : 0.4;
}

/** A part with nothing but weak words is about them. */
function weighedTerms({ text, terms, weights, inherited = [] }: QuestionPart, lexicon: Lexicon): WeighedTerm[] {
  const isAllWeak = terms.every((word) => lexicon.isWeak(lexicon.termOf(word)));
  const compounds = text.match(UNSPACED_COMPOUND) ?? [];
  return terms.map((word, index) => {
    const term = lexicon.termOf(word);
    const compound = compounds.find((whole) => whole.includes(word)) ?? term;
    const isOwn = !inherited.includes(word);
    const weight = (weights?.[index] ?? 1) * (isOwn ? 1 : INHERITED_SHARE);
    return { term, weight, isStrong: isAllWeak || !lexicon.isWeak(term), isOwn, compound };
  });
}

const UNSPACED_COMPOUND = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu;

function pairsOf(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(1).map((term, index) => `${terms[index]} ${term}`));
}
