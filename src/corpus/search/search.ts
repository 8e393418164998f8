// Finds the passages of one index that fit a query best. Their order depends on the content alone.
import type { Database } from "bun:sqlite";
import type { Digest } from "../../kernel/digest.ts";
import type { PassageReason, WordCounts } from "../../ports/provider.ts";
import { bestPlaces, byScore, type Scored, Scores } from "./scores.ts";
import { isSignpost } from "../blocks/signposts.ts";
import { worthOfEntries } from "../blocks/entries.ts";
import { formatOf } from "../formats/formats.ts";
import { DamagedIndex } from "../index/index-database.ts";
import { explainedWords, reasonFor, type Rise } from "./explain.ts";
import { nearnessOf } from "./nearness.ts";
import { Occurrences, type Concept } from "./occurrences.ts";
import { PassageTable } from "../index/passage-table.ts";
import { PostingReader } from "../index/posting-reader.ts";
import { conceptsOf } from "./question-terms.ts";
import { sealOf } from "../index/seal.ts";
import { PASSAGES_PER_DOCUMENT } from "./spread.ts";
import { isRequestWord } from "../words/stop-words.ts";
import { termOf } from "../words/term-cutter.ts";
import { subjectsOf, wordsOf } from "../words/terms.ts";

export interface FoundPassage {
  path: string;
  digest: Digest;
  /** "" when no heading is above. */
  heading_path: string;
  /** The column names above a row of a table, else "". */
  columns: string;
  /** Byte offsets into the document. */
  start: number;
  end: number;
  text: string;
  /** Higher is better. */
  score: number;
  /** The number of near duplicates that were left out for this passage. */
  similar?: number;
  why?: PassageReason;
}

export interface SearchLimits {
  limit: number;
  /** The most passages of one document. Without it a document gives a few, or more when there is nothing else. */
  perDocument?: number | undefined;
  /** Says of each passage why it has its place. */
  explains?: boolean | undefined;
}

const SCORE_DECIMALS = 6;
/** Passages beyond the limit, in place of those that are folded. */
const SPARE = 20;
/** How many of the best passages are read, to see how near each other their words are and what they define. */
const JUDGED_NEAR = 50;
/** Of the best 25 a document may give more than are shown: a passage whose words are near each other may rank low before. */
const JUDGED_DEEP = 25;
const JUDGED_PER_DOCUMENT = 12;

/** What each term of the query is worth, and the most that a passage can score by it. */
interface Weights {
  worth: ReadonlyMap<string, number>;
  most: ReadonlyMap<string, number>;
  /** How many words of the question the name of an entry has to be. */
  least: number;
}

interface Row {
  heading_path: string;
  columns: string;
  start: number;
  end: number;
  text: string;
}

/** Searches the index as it is in the open transaction of the database. */
export class Searcher {
  private readonly table: PassageTable;
  private readonly reader: PostingReader;
  private readonly selectPassage;
  /** Passages that the current search has read, by place. */
  private readonly rows = new Map<number, Row>();
  /** How much the current search has raised the passages that it judged, by place. */
  private readonly rises = new Map<number, Rise>();

  constructor(database: Database) {
    this.table = new PassageTable(database);
    this.reader = new PostingReader(database);
    this.selectPassage = database.query<Row & { seal: number }, [number]>(
      "SELECT heading_path, columns, start_byte AS start, end_byte AS end, body AS text, seal FROM passages WHERE id = ?",
    );
  }

  search(query: string, limits: SearchLimits): FoundPassage[] {
    const concepts = conceptsOf(query, this.reader);
    if (concepts.length === 0 || limits.limit < 1) return [];
    this.rows.clear();
    this.rises.clear();
    const scores = new Scores(this.table, this.reader);
    const worth = new Map<string, number>();
    const most = new Map<string, number>();
    const worths: number[] = [];
    for (const concept of concepts) {
      const found = scores.find(concept);
      worths.push(found.worth);
      for (const { term, share } of concept.variants) {
        worth.set(term, found.worth * share);
        // A compound is another term.
        if (share === 1) most.set(term, found.most);
      }
    }
    // "What is the difference between A and B?" is about what each of them means.
    const subjects = subjectsOf(query).length;
    const least = wordsOf(query).some(isRequestWord) ? subjects / 2 : subjects;
    const places = this.placesFor(scores, limits, { worth, most, least });
    const explain = limits.explains === true ? this.explainer(query, concepts, worths, scores) : null;
    return this.folded(places, limits.limit, explain);
  }

  private explainer(
    query: string,
    concepts: readonly Concept[],
    worths: readonly number[],
    scores: Scores,
  ): (place: number, folded: PassageReason["folded"]) => PassageReason {
    const spelled = new Map(wordsOf(query).map((word) => [termOf(word), word]));
    const wordOf = (term: string): string => spelled.get(term) ?? term;
    const words = explainedWords(concepts, worths, { table: this.table, reader: this.reader, wordOf });
    return (place, folded) => {
      const rise = this.rises.get(place) ?? { nearness: 0, entry: 0 };
      return reasonFor(place, words, { ...scores.partsOf(place), ...rise }, folded);
    };
  }

  /** The number of passages, and of those that hold each word of the question in any of its forms. */
  count(question: string): WordCounts {
    const occurrences = new Occurrences(this.table, this.reader);
    const holding = conceptsOf(question, this.reader).map((concept) => {
      occurrences.read(concept);
      return [concept.variants[0]?.term ?? "", occurrences.count] as const;
    });
    return { passages: this.table.count, holding: new Map(holding) };
  }

  private placesFor(scores: Scores, { limit, perDocument }: SearchLimits, weights: Weights): Scored[] {
    const wanted = limit + SPARE;
    const most = perDocument ?? PASSAGES_PER_DOCUMENT;
    const spread = bestPlaces(this.table, scores, { limit: Math.max(wanted, JUDGED_NEAR), perDocument: most });
    const deep = bestPlaces(this.table, scores, { limit: JUDGED_DEEP, perDocument: JUDGED_PER_DOCUMENT });
    const first = spread.slice(0, JUDGED_NEAR);
    const judged = this.raised([...first, ...without(deep, first)], scores, weights);
    const few = this.fewOfEach([...judged, ...spread.slice(JUDGED_NEAR)], most).slice(0, wanted);
    if (few.length === wanted || perDocument !== undefined) return few;
    const rest = bestPlaces(this.table, scores, { limit: wanted, perDocument: wanted });
    return [...few, ...without(rest, few)].slice(0, wanted);
  }

  /**
   * Raises each score by how near each other the words are, and that of an entry whose term is queried by the most that mentions of it
   * can score; and sorts. What only leads elsewhere counts by its own words alone.
   */
  private raised(places: readonly Scored[], scores: Scores, { worth, most, least }: Weights): Scored[] {
    const raised = places.map(({ place, score }) => {
      const { heading_path, text } = this.row(place);
      const path = this.table.documents[this.table.documentOf[place] ?? 0]?.path ?? "";
      const isProse = !["code", "data"].includes(formatOf(path));
      if (isProse && isSignpost(text)) {
        // Its section is this text once more.
        this.rises.set(place, { nearness: 0, entry: 0, section: 0 });
        return { place, score: scores.partsOf(place).words };
      }
      const entry = isProse ? worthOfEntries(text, most, least) : 0;
      const nearness = nearnessOf(`${heading_path}\n${text}`, worth);
      this.rises.set(place, { nearness, entry });
      return { place, score: score + nearness + entry };
    });
    return raised.sort(byScore);
  }

  /** The places in their order, at most `most` of each document. */
  private fewOfEach(places: readonly Scored[], most: number): Scored[] {
    const taken = new Map<number, number>();
    return places.filter(({ place }) => {
      const document = this.table.documentOf[place] ?? 0;
      const count = taken.get(document) ?? 0;
      taken.set(document, count + 1);
      return count < most;
    });
  }

  private folded(
    scored: readonly Scored[],
    limit: number,
    explain: ReturnType<Searcher["explainer"]> | null,
  ): FoundPassage[] {
    const foldedInto = new Map<number, PassageReason["folded"]>();
    const fold = new Fold<FoundPassage & { place: number }>();
    for (const { place, score } of scored) {
      const row = this.row(place);
      const document = this.table.documents[this.table.documentOf[place] ?? 0];
      if (document === undefined) continue;
      const { path, digest } = document;
      const into = fold.add({ path, digest, ...row, score: Number(score.toFixed(SCORE_DECIMALS)), place }, row.text);
      if (into === null) continue;
      const { start, end } = row;
      foldedInto.set(into.place, [...(foldedInto.get(into.place) ?? []), { path, start, end }]);
    }
    const kept = fold.kept.slice(0, limit).sort(byScore);
    return kept.map(({ place, ...passage }) =>
      explain === null ? passage : { ...passage, why: explain(place, foldedInto.get(place) ?? []) },
    );
  }

  private row(place: number): Row {
    const known = this.rows.get(place);
    if (known !== undefined) return known;
    const found = this.selectPassage.get(this.table.idOf[place] ?? 0);
    if (found === null) throw new DamagedIndex("a passage is missing");
    const { seal, ...row } = found;
    if (sealOf(row.start, row.end, row.heading_path, row.columns, row.text) !== seal)
      throw new DamagedIndex("the checksum of a passage differs");
    this.rows.set(place, row);
    return row;
  }
}

function without(places: readonly Scored[], taken: readonly Scored[]): Scored[] {
  const known = new Set(taken.map(({ place }) => place));
  return places.filter(({ place }) => !known.has(place));
}

// --- near duplicates ----------------------------------------------------------------------------------------------

/** The number of words in a run. */
const SHINGLE = 4;
/** The share of all runs of two passages that both have to hold. */
const ALIKE = 0.9;
/** Shorter passages are alike by chance. */
const LEAST_WORDS = 16;

/** Keeps the first of passages that share nearly all their runs of words, and counts the others. */
class Fold<T extends { similar?: number }> {
  readonly kept: T[] = [];
  private readonly seen: { passage: T; shingles: ReadonlySet<string> }[] = [];

  /** Keeps the passage, or adds it to the count of an earlier one, which it returns. */
  add(passage: T, text: string): T | null {
    const shingles = shinglesOf(text);
    const like = this.seen.find((earlier) => areAlike(earlier.shingles, shingles));
    if (like !== undefined) {
      like.passage.similar = (like.passage.similar ?? 0) + 1;
      return like.passage;
    }
    this.kept.push(passage);
    if (shingles.size > 0) this.seen.push({ passage, shingles });
    return null;
  }
}

function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text);
  const shingles = new Set<string>();
  if (words.length < LEAST_WORDS) return shingles;
  for (let at = 0; at + SHINGLE <= words.length; at++) shingles.add(words.slice(at, at + SHINGLE).join(" "));
  return shingles;
}

function areAlike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  if (Math.min(left.size, right.size) < ALIKE * Math.max(left.size, right.size)) return false;
  let shared = 0;
  for (const shingle of left) if (right.has(shingle)) shared++;
  return shared >= ALIKE * (left.size + right.size - shared);
}
