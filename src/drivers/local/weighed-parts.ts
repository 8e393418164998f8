// The parts of a question with what each of their words counts, and the word without which nothing is about a part.
import type { QuestionPart } from "../../run/research.ts";
import { SUBJECTS_OF_ONE_VERB } from "./cues/answer-cues.ts";
import type { Lexicon } from "./lexicon.ts";
import { isName, nameIn } from "./term-weights.ts";

/** What a word counts that a part took over from another one. */
const INHERITED_SHARE = 0.5;
/** A word that tells so much more than the others on average: without it a sentence is about something else. */
const KEY_RATIO = 1.2;
/** "How does Postgres run the daemon, and when does it stop": not Postgres, in documents that all name it. */
const SUBJECT_SHARE = 0.5;
/** A part of which the corpus lacks more than this share is about something that the corpus does not hold. */
const MAX_ABSENT_SHARE = 0.33;

export interface WeighedTerm {
  term: string;
  weight: number;
  isStrong: boolean;
  /** False when another part of the question asks for it first. */
  isOwn: boolean;
  /** Without it near, nothing is about the part. */
  isNeeded: boolean;
  /** Terms of one compound word name one thing together. */
  compound: string;
  /** A name, as the question writes it; null for other words. */
  name: string | null;
}

export interface WeighedPart {
  id: string;
  text: string;
  terms: WeighedTerm[];
  /** Those of its terms that no other part asks for first. */
  own: ReadonlySet<string>;
  totalWeight: number;
  minCoverage: number;
  /** Terms that stand side by side in the question. */
  pairs: Set<string>;
  /** The term without which nothing is about this part. */
  key: string | null;
  /** Of what a part took over, the terms that tell most: one of what it points back to has to be near. */
  subjects: ReadonlySet<string>;
  /** How many things its strong terms name. */
  strongCount: number;
  /** False when the corpus lacks what the part is about. */
  isHeld: boolean;
  /** Whether several documents speak about all of it. */
  isKnownTogether: boolean;
}

export function weighed(part: QuestionPart, lexicon: Lexicon): WeighedPart {
  const terms = weighedTerms(part, lexicon);
  // A word that says how something is asked may be missing: the documents use others for it.
  const totalWeight = terms.reduce((sum, { weight, isStrong }) => sum + (isStrong ? weight : 0), 0);
  const absent = new Set((part.absent ?? []).map((word) => lexicon.termOf(word)));
  const absentWeight = terms.reduce((sum, { term, weight }) => sum + (absent.has(term) ? weight : 0), 0);
  const lacksName = (part.absent ?? []).some((word) => isName(word, part.text, lexicon));
  const strong = terms.filter(({ term, isStrong }) => isStrong && !absent.has(term));
  const strongCount = new Set(terms.filter(({ isStrong }) => isStrong).map(({ compound }) => compound)).size;
  return {
    id: part.id,
    text: part.text,
    terms,
    own: new Set(terms.filter(({ isOwn }) => isOwn).map(({ term }) => term)),
    totalWeight,
    strongCount,
    minCoverage: minCoverageFor(strongCount),
    pairs: pairsOf(lexicon.termsOf(part.text)),
    key: keyOf(strong),
    subjects: subjectsOf(strong.filter(({ isOwn }) => !isOwn)),
    isHeld: !lacksName && absentWeight <= totalWeight * MAX_ABSENT_SHARE,
    isKnownTogether: false,
  };
}

function keyOf(terms: readonly WeighedTerm[]): string | null {
  const first = heaviest(terms);
  const average = terms.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, terms.length);
  return first !== undefined && first.weight >= average * KEY_RATIO ? first.term : null;
}

function subjectsOf(inherited: readonly WeighedTerm[]): ReadonlySet<string> {
  const least = (heaviest(inherited)?.weight ?? 0) * SUBJECT_SHARE;
  return new Set(inherited.filter(({ weight }) => weight >= least).map(({ term }) => term));
}

function heaviest(terms: readonly WeighedTerm[]): WeighedTerm | undefined {
  return [...terms].sort((left, right) => right.weight - left.weight)[0];
}

/** No sentence holds all the words of a long question. */
function minCoverageFor(strongTerms: number): number {
  if (strongTerms <= 3) return 0.68;
  if (strongTerms === 4) return 0.6;
  return strongTerms <= 6 ? 0.5 : 0.4;
}

/** The terms that say what a part is about: its own, or those it took over when it has none. */
export function strongTerms(part: QuestionPart, lexicon: Lexicon): string[] {
  const strong = weighedTerms(part, lexicon).filter(({ isStrong }) => isStrong);
  const own = strong.filter(({ isOwn }) => isOwn);
  return (own.length > 0 ? own : strong).map(({ term }) => term);
}

/** A part with nothing but weak words is about them. */
export function weighedTerms({ text, terms, weights, inherited = [] }: QuestionPart, lexicon: Lexicon): WeighedTerm[] {
  const isAllWeak = terms.every((word) => lexicon.isWeak(lexicon.termOf(word)));
  const compounds = text.match(UNSPACED_COMPOUND) ?? [];
  const alternatives = alternativesIn(text, lexicon);
  const names = hyphenatedNames(text, lexicon);
  return terms.map((word, index) => {
    const term = lexicon.termOf(word);
    const compound = alternatives.has(term) ? ALTERNATIVES : (compounds.find((whole) => whole.includes(word)) ?? term);
    const isOwn = !inherited.includes(word);
    const weight = (weights?.[index] ?? 1) * (isOwn ? 1 : INHERITED_SHARE);
    const isNeeded = names.has(term);
    const isStrong = isAllWeak || isNeeded || !lexicon.isWeak(term);
    return { term, weight, isStrong, isOwn, isNeeded, compound, name: nameIn(text, word, lexicon) };
  });
}

/** The terms of words such as "fast-check": together they are a name, though each of them tells nothing. */
function hyphenatedNames(text: string, lexicon: Lexicon): ReadonlySet<string> {
  const compounds = (text.match(HYPHENATED) ?? []).map((compound) => lexicon.termsOf(compound));
  return new Set(compounds.filter((terms) => terms.every((term) => lexicon.isWeak(term))).flat());
}

const HYPHENATED = /\p{L}+(?:-\p{L}+)+/gu;

export const ALTERNATIVES = "alternatives";

/** The terms of several subjects that one verb has: "do coffee and tea keep" is answered for each alone. */
export function alternativesIn(text: string, lexicon: Lexicon): ReadonlySet<string> {
  return new Set(lexicon.termsOf(SUBJECTS_OF_ONE_VERB.exec(text)?.[1] ?? ""));
}

const UNSPACED_COMPOUND = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu;

export function pairsOf(terms: readonly string[]): Set<string> {
  return new Set(terms.slice(1).map((term, index) => `${terms[index]} ${term}`));
}
