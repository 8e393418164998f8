// The passages that several queries found, each once, ranked by all of them together.
import { formatOf } from "../../corpus/formats.ts";
import { Pacer } from "../../corpus/pacer.ts";
import { spread } from "../../corpus/spread.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { QuestionPart } from "../../run/research.ts";
import type { Lexicon } from "./lexicon.ts";
import { headingAbove, isUnlikely } from "./places.ts";
import { sentencesOf, type Sentence } from "./sentences.ts";

export interface RankedPassage {
  passage: Passage;
  sentences: Sentence[];
  /** 0 to 1: 1 for the passage that the queries together rank best. */
  rank: number;
  /** The query that ranked it best. */
  query: string;
}

/** Passages of code and data are passed over, so more are asked for than are taken. */
const SEARCH_FACTOR = 3;
/** Reciprocal rank fusion, Cormack et al. 2009. */
const RANK_CONSTANT = 60;

export interface PassageSearch {
  queries: readonly string[];
  resultsPerQuery: number;
  /** Digests of documents that were quoted before: others come first. */
  quoted: ReadonlySet<string>;
  lexicon: Lexicon;
  asked: readonly QuestionPart[];
}

export async function findPassages(
  { queries, resultsPerQuery, quoted, lexicon, asked }: PassageSearch,
  tools: TaskTools,
): Promise<RankedPassage[]> {
  const terms = new Set(asked.flatMap((part) => part.terms.map((word) => lexicon.termOf(word))));
  const isPlace = (passage: Passage): boolean => !isUnlikely(passage, terms, lexicon);
  const pool = new Map<string, RankedPassage & { bestPlace: number }>();
  const pacer = new Pacer(tools.signal);
  const isQuoted = ({ passage }: Readable): boolean => quoted.has(passage.document_digest);
  for (const query of queries) {
    tools.say(`searching: ${query}`);
    const found = await tools.search(lexicon.searchable(query), resultsPerQuery * SEARCH_FACTOR);
    const readable = await readableOf(found, pool, isPlace, pacer);
    const unquotedFirst = readable.sort((left, right) => Number(isQuoted(left)) - Number(isQuoted(right)));
    for (const [place, entry] of spread(unquotedFirst, resultsPerQuery, ({ passage }) => passage.origin).entries()) {
      const known = pool.get(keyOf(entry.passage)) ?? { ...entry, rank: 0, query, bestPlace: place };
      known.rank += 1 / (RANK_CONSTANT + place);
      if (place < known.bestPlace) Object.assign(known, { bestPlace: place, query });
      pool.set(keyOf(entry.passage), known);
    }
  }
  const best = Math.max(...[...pool.values()].map(({ rank }) => rank), Number.EPSILON);
  return [...pool.values()].map(({ passage, sentences, rank, query }) => ({
    passage,
    sentences,
    rank: rank / best,
    query,
  }));
}

type Readable = Pick<RankedPassage, "passage" | "sentences">;

async function readableOf(
  found: readonly Passage[],
  pool: ReadonlyMap<string, Readable>,
  isPlace: (passage: Passage) => boolean,
  pacer: Pacer,
): Promise<Readable[]> {
  const readable: Readable[] = [];
  for (const passage of found) {
    await pacer.pause();
    if (!isPlace(passage)) continue;
    const known = pool.get(keyOf(passage));
    const sentences = known?.sentences ?? sentencesOf(passage.text, formatOf(passage.origin), headingAbove(passage));
    if (sentences.length > 0) readable.push({ passage, sentences });
  }
  return readable;
}

function keyOf({ origin, start }: Passage): string {
  return `${origin}\0${start}`;
}
