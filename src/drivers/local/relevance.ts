// Judges by words alone whether a sentence speaks about a part of the question.
import type { QuestionPart } from "../../run/research.ts";
import { asksForQuantity, givesQuantity, measureTerms } from "./expectations.ts";
import type { Lexicon } from "./lexicon.ts";
import { ALTERNATIVES, pairsOf, weighed, weighedTerms, type WeighedPart, type WeighedTerm } from "./weighed-parts.ts";

/** What a term counts when it stands not in the sentence, but in the headings above it. */
const NEAR_SHARE = 0.6;
/** What it counts when it stands only in the sentences around. */
const AROUND_SHARE = 0.3;
/** "command line" in both says more than "command" and "line". */
const PAIR_BONUS = 0.12;
/** For a sentence that itself shares one word of several with the question. */
const ONE_TERM_FACTOR = 0.7;
/** For a sentence that itself lacks the word that tells most. */
const KEY_ABOVE_FACTOR = 0.85;
const KEY_AROUND_FACTOR = 0.6;
/** For a sentence that holds a word of the question otherwise than as the name that is asked for. */
const OTHER_THAN_NAME_FACTOR = 0.75;

/** Of the words of a part, weak ones too, in what lacks the number that is asked for. */
const MIN_TERMS_WITHOUT_NUMBER = 2;
/** For a sentence that answers by where it stands. */
const COVERAGE_BY_PLACE = 0.7;
/** So many documents that hold all words of a part are about one thing. */
const MIN_DOCUMENTS = 2;

/** A sentence, and the terms of it, of what stands above it, of what stands around it, and of its whole document. */
export interface Place {
  text: string;
  sentence: readonly string[];
  above: ReadonlySet<string>;
  /** The innermost heading alone. */
  heading: ReadonlySet<string>;
  around: ReadonlySet<string>;
  document: ReadonlySet<string>;
}

export const NO_PLACE: Place = {
  text: "",
  sentence: [],
  above: new Set(),
  heading: new Set(),
  around: new Set(),
  document: new Set(),
};

export interface Relevance {
  /** The best share of a part's weight that the sentence covers, raised for words that stand together. */
  coverage: number;
  /** The parts it speaks about; empty when it is not relevant. */
  part_ids: string[];
}

export class RelevanceJudge {
  readonly lexicon: Lexicon;
  private readonly parts: WeighedPart[];
  private readonly question: WeighedTerm[];

  /** `allParts`: the whole question; `parts`: what is looked for now. */
  constructor(parts: readonly QuestionPart[], allParts: readonly QuestionPart[], lexicon: Lexicon) {
    this.lexicon = lexicon;
    this.parts = parts.map((part) => weighed(part, lexicon));
    this.question = allParts.flatMap((part) => weighedTerms(part, lexicon));
  }

  /** `documents`: the terms of each document that is looked at. */
  learn(documents: readonly ReadonlySet<string>[]): void {
    for (const part of this.parts) {
      const strong = part.terms.filter(({ isStrong }) => isStrong);
      const holding = documents.filter((terms) => strong.every(({ term }) => this.lexicon.holds(terms, term)));
      part.isKnownTogether = holding.length >= MIN_DOCUMENTS;
    }
  }

  /** Whether a word is asked about. */
  asksFor(term: string): boolean {
    return this.question.some((asked) => asked.term === term);
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
      // What lacks the number that is asked for has to hold the words itself.
      const lacksNumber = asksForQuantity(part.text) && !givesQuantity(place.text, part.text, this.lexicon);
      const speaksByItself = speaks(part, found) && (!lacksNumber || this.isNearNumber(part, inside, place));
      if (!speaksByItself && !this.speaksByPlace(part, inside, place)) continue;
      relevance.part_ids.push(part.id);
      if (!speaksByItself) {
        relevance.coverage = Math.max(relevance.coverage, COVERAGE_BY_PLACE);
        continue;
      }
      const trust = found.inside.size < Math.min(2, part.strongCount) ? ONE_TERM_FACTOR : 1;
      const together = 1 + PAIR_BONUS * part.pairs.intersection(sides).size;
      const score = found.coverage * found.keyFactor * found.nameFactor * trust * together;
      relevance.coverage = Math.max(relevance.coverage, score);
    }
    return relevance;
  }

  /** What lacks the number that is asked for has to name its measure, or else to hold the words itself. */
  private isNearNumber({ text, own }: WeighedPart, inside: ReadonlySet<string>, { heading }: Place): boolean {
    const measures = measureTerms(text, this.lexicon);
    const isNamed = measures.some((term) => this.lexicon.holds(inside, term) || heading.has(term));
    return measures.length > 1 ? isNamed : inside.intersection(own).size >= MIN_TERMS_WITHOUT_NUMBER;
  }

  /**
   * What is asked for stands below a heading that asks for it, or the sentence gives the number that is asked for, and
   * its document the words that it lacks.
   */
  private speaksByPlace(
    { terms, text, isHeld, isKnownTogether }: WeighedPart,
    inside: ReadonlySet<string>,
    place: Place,
  ): boolean {
    if (!isHeld) return false;
    const { lexicon } = this;
    const strong = terms.filter(({ isStrong }) => isStrong);
    const standIn = (held: ReadonlySet<string>): boolean => strong.every(({ term }) => lexicon.holds(held, term));
    const gives = givesQuantity(place.text, text, lexicon);
    if (gives && standIn(place.heading)) return true;
    if (gives && isKnownTogether && standIn(place.document.union(place.above)))
      return strong.some(({ term }) => lexicon.holds(inside, term));
    const asksForHeading =
      place.heading.size > 0 && [...place.heading].every((term) => terms.some((asked) => asked.term === term));
    const asksForAspect = terms.some(({ term }) => lexicon.isWeak(term) && place.heading.has(term));
    return asksForHeading && asksForAspect && standIn(place.above.union(inside));
  }

  private find(part: WeighedPart, inside: ReadonlySet<string>, { text, above, around }: Place): Found {
    const found: Found = {
      own: 0,
      coverage: 0,
      inside: new Set(),
      above: new Set(),
      keyFactor: part.key === null ? 1 : 0,
      nameFactor: 1,
      isOnSubject: part.subjects.size === 0,
      lacksName: false,
    };
    for (const { term, weight, isStrong, isOwn, isNeeded, compound, name } of part.terms) {
      const isInside = this.lexicon.holds(inside, term);
      const isAbove = !isInside && this.lexicon.holds(above, term);
      const isAround = !isInside && !isAbove && this.lexicon.holds(around, term);
      found.coverage += weight * (isInside ? 1 : isAbove ? NEAR_SHARE : isAround ? AROUND_SHARE : 0);
      if (isStrong && isOwn && (isInside || isAbove)) found.own++;
      if (isStrong && isInside) found.inside.add(compound);
      if (isStrong && isAbove) found.above.add(compound);
      if (isInside && name !== null && !text.includes(name)) found.nameFactor *= OTHER_THAN_NAME_FACTOR;
      if (part.subjects.has(term) && (isInside || isAbove || isAround)) found.isOnSubject = true;
      if (isNeeded && !isInside && !isAbove) found.lacksName = true;
      if (term === part.key)
        found.keyFactor = isInside ? 1 : isAbove ? KEY_ABOVE_FACTOR : isAround ? KEY_AROUND_FACTOR : 0;
    }
    found.coverage += this.missingAlternatives(part, inside);
    found.coverage = part.totalWeight === 0 ? 0 : found.coverage / part.totalWeight;
    return found;
  }

  /** The weight of the subjects that a sentence may lack because it holds another one. */
  private missingAlternatives({ terms }: WeighedPart, inside: ReadonlySet<string>): number {
    const all = terms.filter(({ compound }) => compound === ALTERNATIVES);
    const missing = all.filter(({ term }) => !this.lexicon.holds(inside, term));
    return missing.length === all.length ? 0 : missing.reduce((sum, { weight }) => sum + weight, 0);
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
  nameFactor: number;
  /** Whether what the part points back to stands near. */
  isOnSubject: boolean;
  lacksName: boolean;
}

function speaks({ terms, strongCount, minCoverage, isHeld }: WeighedPart, found: Found): boolean {
  if (found.own === 0 && terms.some(({ isStrong, isOwn }) => isStrong && isOwn)) return false;
  if (
    !isHeld ||
    !found.isOnSubject ||
    found.lacksName ||
    found.keyFactor === 0 ||
    found.inside.size < Math.min(1, strongCount)
  )
    return false;
  return found.inside.union(found.above).size >= Math.min(2, strongCount) && found.coverage >= minCoverage;
}
