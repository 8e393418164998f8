// Finds the sentences that may be quoted, and ranks them.
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import { agreementOf } from "./agreement.ts";
import { ASKED_MEASURE, ASKS_FOR_DEFINITION, DEFINES, GIVES_BOUND, NAMES } from "./cues/question-cues.ts";
import { CONCEDES, isBoilerplate } from "./cues/sentence-cues.ts";
import { asksForQuantity, givesQuantity, givesWhatIsAsked, keepsQualifiers } from "./expectations.ts";
import type { Lexicon } from "./lexicon.ts";
import type { RankedPassage } from "./passage-pool.ts";
import { headingsOf, placeFactor } from "./places.ts";
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
const ASKED_DEFINITION_FACTOR = 1.35;
const EXPECTED_FACTOR = 1.5;
/** Asked for a number and gives none, or asked for the largest and gives another one. */
const BESIDE_THE_POINT_FACTOR = 0.7;
/** "Less than 10 %" is no plain answer. */
const BOUND_FACTOR = 0.75;
/** "How deep" where the sentence says "deep". */
const MEASURE_FACTOR = 1.3;
/** What is asked about comes first in the sentence. */
const SUBJECT_FACTOR = 1.15;
/** "Though ..." begins with what is not its point. */
const CONCEDING_FACTOR = 0.8;
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
  search.judge.learn([...documents.values()]);
  for (const ranked of passages) {
    await pacer.pause();
    candidates.push(...candidatesOf(ranked, documents.get(ranked.passage.origin) ?? new Set(), search));
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
  search: CandidateSearch,
): Candidate[] {
  const { judge, stance, focus } = search;
  const { lexicon } = judge;
  const above = new Set(lexicon.termsOf(`${passage.title} ${passage.origin}`));
  const heading = new Set(
    lexicon.termsOf(headingsOf(passage.title).at(-1) ?? "").filter((term) => !/^\p{N}/u.test(term)),
  );
  const around = new Set(lexicon.termsOf(passage.text));
  const place = placeFactor(passage) * (1 - RANK_SHARE + RANK_SHARE * rank) * headingFactor(heading, judge);
  return sentences.flatMap((sentence) => {
    const terms = lexicon.termsOf(sentence.text);
    const { text } = sentence;
    const { coverage, part_ids } = judge.judge({ text, sentence: terms, above, heading, around, document });
    const held = new Set(terms);
    if (part_ids.length === 0 || !focus.every((term) => lexicon.holds(held, term) || above.has(term))) return [];
    const beside = judge.withoutQuestion(text);
    const fit = fitOf(beside, stance);
    if (fit === 0 || isBoilerplate(beside)) return [];
    const asked = part_ids.map((id) => search.asked.get(id) ?? "").join(" ");
    const subject = judge.asksFor(terms[0] ?? "") ? SUBJECT_FACTOR : 1;
    const telling = tellingFactor(sentence, asked, lexicon) * subject;
    const score = rounded(coverage * qualityOf(sentence.text) * fit * place * telling);
    return [{ passage, sentence, terms: held, query, score, part_ids }];
  });
}

/** A section whose heading says little but what is asked about. */
function headingFactor(heading: ReadonlySet<string>, judge: RelevanceJudge): number {
  const asked = [...heading].filter((term) => judge.asksFor(term)).length;
  return asked > 0 && asked >= heading.size * HEADING_SHARE ? HEADING_FACTOR : 1;
}

/** Sentences that define, that open a paragraph, or that give what is asked for: a reason, a number. */
function tellingFactor({ text, place, isPair }: Sentence, asked: string, lexicon: Lexicon): number {
  let factor = isPair ? PAIR_FACTOR : place === 0 ? OPENING_FACTOR : 1;
  if (isDefinition(text, asked, lexicon))
    factor *= ASKS_FOR_DEFINITION.test(asked) ? ASKED_DEFINITION_FACTOR : DEFINITION_FACTOR;
  if (givesWhatIsAsked(text, asked, lexicon)) factor *= EXPECTED_FACTOR;
  if (asksForQuantity(asked) && !givesQuantity(text, asked, lexicon)) factor *= BESIDE_THE_POINT_FACTOR;
  if (asksForQuantity(asked) && GIVES_BOUND.test(text)) factor *= BOUND_FACTOR;
  if (!keepsQualifiers(text, asked)) factor *= BESIDE_THE_POINT_FACTOR;
  if (CONCEDES.test(text)) factor *= CONCEDING_FACTOR;
  const measures = lexicon.termsOf((asked.match(ASKED_MEASURE) ?? []).join(" "));
  const terms = new Set(measures.length === 0 ? [] : lexicon.termsOf(text));
  return measures.some((term) => lexicon.holds(terms, term)) ? factor * MEASURE_FACTOR : factor;
}

const TERMS_BESIDE_NAME = 2;
const NAME_LENGTH = 30;
const MAX_NAMED = 4;

/** "A lease is a lock that ...": little but what is asked about stands before the word that defines it. */
function isDefinition(text: string, asked: string, lexicon: Lexicon): boolean {
  const named = lexicon.termsOf(asked).filter((term) => !lexicon.isWeak(term));
  if (named.length === 0 || named.length > MAX_NAMED) return false;
  const holdsName = (part: string, mostTerms: number): boolean => {
    const terms = new Set(lexicon.termsOf(part));
    return terms.size <= mostTerms && named.every((term) => lexicon.holds(terms, term));
  };
  const defined = DEFINES.exec(text);
  if (defined !== null && holdsName(text.slice(0, defined.index), named.length + TERMS_BESIDE_NAME)) return true;
  const naming = NAMES.exec(text);
  if (naming === null) return false;
  const end = naming.index + naming[0].length;
  return holdsName(text.slice(end, end + NAME_LENGTH), Number.POSITIVE_INFINITY);
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function byScore(left: Candidate, right: Candidate): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.passage.origin !== right.passage.origin) return left.passage.origin < right.passage.origin ? -1 : 1;
  return left.passage.start + left.sentence.start - (right.passage.start + right.sentence.start);
}
