// Finds the sentences that may be quoted, and ranks them.
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import { agreementOf } from "./agreement.ts";
import { asksForLicence, isBoilerplate } from "./cues/sentence-cues.ts";
import { defines } from "./definitions.ts";
import { asksForQuantity, givesQuantity, givesWhatIsAsked, keepsQualifiers, measureTerms } from "./expectations.ts";
import type { Lexicon } from "./lexicon.ts";
import type { RankedPassage } from "./passage-pool.ts";
import { headingsOf, placeFactor, termsAbove } from "./places.ts";
import { qualityOf } from "./readability.ts";
import type { RelevanceJudge } from "./relevance.ts";
import type { Sentence } from "./sentences.ts";
import { fitOf, type Stance } from "./stance.ts";

export interface Candidate {
  passage: Passage;
  /** Offsets into the passage's text. */
  sentence: Sentence;
  terms: ReadonlySet<string>;
  /** The query that ranked the passage best. */
  query: string;
  score: number;
  part_ids: string[];
}

const RANK_SHARE = 0.3;
const AGREEMENT_SHARE = 0.3;
/** What agrees with others is told from the best alone: it is compared with each of them. */
const MAX_COMPARED = 60;
/** A sentence that opens its block tells more than one in its middle. */
const OPENING_FACTOR = 1.06;
/** The sentence that came along is there for the other's sake. */
const PAIR_FACTOR = 0.82;
const DEFINITION_FACTOR = 1.1;
const EXPECTED_FACTOR = 1.5;
/** Asked for a number and gives none, or asked for the largest and gives another one. */
const BESIDE_THE_POINT_FACTOR = 0.7;
/** "How deep" where the sentence says "deep". */
const MEASURE_FACTOR = 1.3;
/** What is asked about comes first in the sentence. */
const SUBJECT_FACTOR = 1.15;
const HEADING_FACTOR = 1.4;
/** Of the words of a heading. */
const HEADING_SHARE = 0.6;

export interface CandidateSearch {
  judge: RelevanceJudge;
  stance: Stance;
  /** What each part asks, by its id. */
  asked: ReadonlyMap<string, string>;
  /** Terms that a sentence or the heading above it has to hold beside those of the question. */
  focus: readonly string[];
}

/** Best first; equal scores in the order of origin and place. */
export async function findCandidates(
  passages: readonly RankedPassage[],
  search: CandidateSearch,
  tools: TaskTools,
): Promise<Candidate[]> {
  const pacer = new Pacer(tools.signal);
  const candidates: Candidate[] = [];
  const documents = new Map<string, ReadonlySet<string>>();
  for (const { passage } of passages) {
    await pacer.pause();
    const known = documents.get(passage.origin) ?? new Set();
    documents.set(passage.origin, known.union(new Set(search.judge.lexicon.termsOf(passage.text))));
  }
  const inQuestion = [...search.asked.values()].flatMap((part) => search.judge.lexicon.termsOf(part));
  search.judge.learn([...documents.values()]);
  for (const ranked of passages) {
    await pacer.pause();
    candidates.push(...candidatesOf(ranked, documents.get(ranked.passage.origin) ?? new Set(), inQuestion, search));
  }
  candidates.sort(byScore);
  const compared = candidates.slice(0, MAX_COMPARED);
  const agreement = await agreementOf(compared, pacer);
  for (const [index, candidate] of compared.entries())
    candidate.score = rounded(candidate.score * (1 + AGREEMENT_SHARE * (agreement[index] ?? 0)));
  return candidates.sort(byScore);
}

function candidatesOf(
  { passage, sentences, rank, query }: RankedPassage,
  document: ReadonlySet<string>,
  inQuestion: readonly string[],
  search: CandidateSearch,
): Candidate[] {
  const { judge, stance, focus } = search;
  const { lexicon } = judge;
  const above = new Set(termsAbove(`${passage.title} ${passage.origin}`, inQuestion, lexicon));
  const innermost = headingTerms(headingsOf(passage.title).at(-1) ?? "", lexicon);
  const around = new Set(lexicon.termsOf(passage.text));
  const place = placeFactor(passage) * (1 - RANK_SHARE + RANK_SHARE * rank);
  return sentences.flatMap((sentence) => {
    const { label } = sentence;
    // What stands right above it is the subject of a sentence that points there.
    const text = label === null ? sentence.text : `${label}: ${sentence.text}`;
    const terms = lexicon.termsOf(text);
    const heading = label === null ? innermost : headingTerms(label, lexicon);
    const { coverage, part_ids } = judge.judge({ text, sentence: terms, above, heading, around, document });
    const held = new Set(terms);
    if (part_ids.length === 0 || !focus.every((term) => lexicon.holds(held, term) || above.has(term))) return [];
    const beside = judge.withoutQuestion(text);
    const fit = fitOf(beside, stance);
    const parts = part_ids.map((id) => search.asked.get(id) ?? "");
    if (fit === 0 || (isBoilerplate(beside) && !parts.some(asksForLicence))) return [];
    const subject = judge.asksFor(terms[0] ?? "") ? SUBJECT_FACTOR : 1;
    const telling = Math.max(...parts.map((part) => tellingFactor({ ...sentence, text }, part, lexicon))) * subject;
    const score = rounded(coverage * qualityOf(sentence) * fit * place * headingFactor(heading, judge) * telling);
    return [{ passage, sentence, terms: held, query, score, part_ids }];
  });
}

function headingTerms(heading: string, lexicon: Lexicon): ReadonlySet<string> {
  return new Set(lexicon.termsOf(heading).filter((term) => !/^\p{N}/u.test(term)));
}

/** A section whose heading says little but what is asked about. */
function headingFactor(heading: ReadonlySet<string>, judge: RelevanceJudge): number {
  const asked = [...heading].filter((term) => judge.asksFor(term)).length;
  return asked > 0 && asked >= heading.size * HEADING_SHARE ? HEADING_FACTOR : 1;
}

/** Sentences that define, that open a paragraph, or that give what is asked for: a reason, a number. */
function tellingFactor(sentence: Sentence, asked: string, lexicon: Lexicon): number {
  const { text, place, isPair } = sentence;
  let factor = isPair ? PAIR_FACTOR : place === 0 ? OPENING_FACTOR : 1;
  if (defines(sentence, asked, lexicon)) factor *= DEFINITION_FACTOR;
  if (givesWhatIsAsked(sentence, asked, lexicon)) factor *= EXPECTED_FACTOR;
  if (asksForQuantity(asked) && !givesQuantity(text, asked, lexicon)) factor *= BESIDE_THE_POINT_FACTOR;
  if (!keepsQualifiers(text, asked)) factor *= BESIDE_THE_POINT_FACTOR;
  const measures = measureTerms(asked, lexicon);
  const terms = new Set(measures.length === 0 ? [] : lexicon.termsOf(text));
  return measures.some((term) => lexicon.holds(terms, term)) ? factor * MEASURE_FACTOR : factor;
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function byScore(left: Candidate, right: Candidate): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.passage.origin !== right.passage.origin) return left.passage.origin < right.passage.origin ? -1 : 1;
  return left.passage.start + left.sentence.start - (right.passage.start + right.sentence.start);
}
