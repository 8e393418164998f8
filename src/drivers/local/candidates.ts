// Finds the sentences that may be quoted: searches, fuses the results of several queries and ranks their sentences.
import { formatOf } from "../../corpus/formats.ts";
import { spread } from "../../corpus/spread.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { RelevanceJudge } from "./relevance.ts";
import { qualityOf } from "./readability.ts";
import { sentencesOf, type Sentence } from "./sentences.ts";
import { fitOf, type Stance } from "./stance.ts";

export interface Candidate {
  passage: Passage;
  /** Offsets into the passage's text. */
  sentence: Sentence;
  /** The query that ranked the passage best. */
  query: string;
  score: number;
  part_ids: string[];
}

/** Passages of code and data are passed over, so more are asked for than are taken. */
const SEARCH_FACTOR = 3;
/** Reciprocal rank fusion, Cormack et al. 2009. */
const RANK_CONSTANT = 60;
const RANK_SHARE = 0.35;
const UNLIKELY_PLACES =
  /(^|\/)(([^/]+[-_.])?licen[cs]es?|copying|copyright|third[-_]?party[-_]?notices?|notices?|authors|contributors|code_of_conduct|contributing|security)(?![a-z])[^/]*$/i;
const LESS_LIKELY_PLACES = /(^|\/)(changelog|changes|history|releases?|news)\b[^/]*$|(^|\/)(tests?|__tests__|spec)\//i;
const LESS_LIKELY_FACTOR = 0.6;
/** Comments in code say less to a stranger than the documents that were written for one. */
const CODE_FACTOR = 0.6;

export interface CandidateSearch {
  queries: readonly string[];
  resultsPerQuery: number;
  judge: RelevanceJudge;
  stance: Stance;
}

/** Best first; equal scores in the order of origin and place. */
export async function findCandidates(search: CandidateSearch, tools: TaskTools): Promise<Candidate[]> {
  const pool = new Map<string, RankedPassage>();
  for (const query of search.queries) {
    tools.signal.throwIfAborted();
    tools.say(`searching: ${query}`);
    const found = await tools.search(query, search.resultsPerQuery * SEARCH_FACTOR);
    takeReadable(found, search.resultsPerQuery).forEach((readable, rank) => addRank(pool, readable, query, rank));
  }
  const best = Math.max(...[...pool.values()].map((ranked) => ranked.rankScore), Number.EPSILON);
  return [...pool.values()].flatMap((ranked) => candidatesOf(ranked, ranked.rankScore / best, search)).sort(byScore);
}

interface ReadablePassage {
  passage: Passage;
  sentences: Sentence[];
}

interface RankedPassage extends ReadablePassage {
  rankScore: number;
  query: string;
  bestRank: number;
}

function takeReadable(found: readonly Passage[], limit: number): ReadablePassage[] {
  const readable = found
    .filter((passage) => !UNLIKELY_PLACES.test(passage.origin))
    .map((passage) => ({ passage, sentences: sentencesOf(passage.text, formatOf(passage.origin)) }))
    .filter(({ sentences }) => sentences.length > 0);
  return spread(readable, limit, ({ passage }) => passage.origin);
}

function addRank(pool: Map<string, RankedPassage>, readable: ReadablePassage, query: string, rank: number): void {
  const key = `${readable.passage.origin}\0${readable.passage.start}`;
  const known = pool.get(key) ?? { ...readable, rankScore: 0, query, bestRank: rank };
  known.rankScore += 1 / (RANK_CONSTANT + rank);
  if (rank < known.bestRank) Object.assign(known, { bestRank: rank, query });
  pool.set(key, known);
}

function candidatesOf(ranked: RankedPassage, rankFactor: number, { judge, stance }: CandidateSearch): Candidate[] {
  const { passage, query } = ranked;
  const above = `${passage.title} ${passage.origin}`;
  return ranked.sentences.flatMap((sentence) => {
    const { coverage, part_ids } = judge.judge(sentence.text, above, passage.text);
    const fit = fitOf(judge.withoutQuestion(sentence.text), stance);
    if (part_ids.length === 0 || fit === 0) return [];
    const place = placeFactorOf(passage.origin) * (1 - RANK_SHARE + RANK_SHARE * rankFactor);
    const score = rounded(coverage * qualityOf(sentence.text) * fit * place);
    return [{ passage, sentence, query, score, part_ids }];
  });
}

function placeFactorOf(origin: string): number {
  return (LESS_LIKELY_PLACES.test(origin) ? LESS_LIKELY_FACTOR : 1) * (formatOf(origin) === "code" ? CODE_FACTOR : 1);
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function byScore(left: Candidate, right: Candidate): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.passage.origin !== right.passage.origin) return left.passage.origin < right.passage.origin ? -1 : 1;
  return left.passage.start + left.sentence.start - (right.passage.start + right.sentence.start);
}
