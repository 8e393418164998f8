// Scores passages and their sections with BM25; terms in headings count more.
// Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
import { Occurrences, type Concept } from "./occurrences.ts";
import { TITLE_WEIGHT, type PassageTable } from "../index/passage-table.ts";
import type { PostingReader } from "../index/posting-reader.ts";

const K1 = 1.2;
const B = 0.75;
/** A long section holds the words of any question, so its length counts nearly in full. */
const B_OF_SECTIONS = 0.95;

/** Concepts are added in the order of the query, so that the sums have the same bits each time. */
export class Scores {
  private readonly ofPassages: Float64Array;
  private readonly ofSections: Float64Array;
  private readonly table: PassageTable;
  private readonly occurrences: Occurrences;

  constructor(table: PassageTable, reader: PostingReader) {
    this.table = table;
    this.occurrences = new Occurrences(table, reader);
    this.ofPassages = new Float64Array(table.count);
    this.ofSections = new Float64Array(table.sectionLength.length);
  }

  /** The score of a passage plus that of its section; 0 when the passage holds no term of the query. */
  of(place: number): number {
    const own = this.ofPassages[place] ?? 0;
    return own === 0 ? 0 : own + (this.ofSections[this.table.sectionOf[place] ?? 0] ?? 0);
  }

  /** The two parts of the score of a place. */
  partsOf(place: number): { words: number; section: number } {
    const words = this.ofPassages[place] ?? 0;
    return { words, section: this.of(place) - words };
  }

  /** Adds the concept to the scores. `worth`: its weight times its rarity. `most`: no passage can score more by it. */
  find(concept: Concept): { worth: number; most: number } {
    const { occurrences, table } = this;
    occurrences.read(concept);
    this.addToPassages(concept.weight);
    this.addToSections(concept.weight);
    const worth = concept.weight * rarity(occurrences.count, table.count);
    const ofSection = concept.weight * rarity(occurrences.sections, table.sectionLength.length);
    return { worth, most: (K1 + 1) * (worth + ofSection) };
  }

  private addToPassages(weight: number): void {
    const { ofPassages, table } = this;
    const { places, inText, inTitle, count } = this.occurrences;
    const factor = weight * rarity(count, table.count) * (K1 + 1);
    const perLength = (K1 * B) / table.averageLength;
    for (let at = 0; at < count; at++) {
      const place = places[at] ?? 0;
      const times = (inText[at] ?? 0) + TITLE_WEIGHT * (inTitle[at] ?? 0);
      ofPassages[place] =
        (ofPassages[place] ?? 0) + (factor * times) / (times + K1 * (1 - B) + perLength * (table.length[place] ?? 0));
    }
  }

  private addToSections(weight: number): void {
    const { ofSections, table } = this;
    const { places, inText, inTitle, count, sections } = this.occurrences;
    const factor = weight * rarity(sections, table.sectionLength.length) * (K1 + 1);
    const perLength = (K1 * B_OF_SECTIONS) / table.averageSectionLength;
    for (let at = 0; at < count;) {
      const section = table.sectionOf[places[at] ?? 0] ?? 0;
      let text = 0;
      let title = 0;
      // All passages of a section have the same heading, which counts once.
      for (; at < count && table.sectionOf[places[at] ?? 0] === section; at++) {
        text += inText[at] ?? 0;
        title = Math.max(title, inTitle[at] ?? 0);
      }
      const times = text + TITLE_WEIGHT * title;
      const length = table.sectionLength[section] ?? 0;
      ofSections[section] =
        (ofSections[section] ?? 0) + (factor * times) / (times + K1 * (1 - B_OF_SECTIONS) + perLength * length);
    }
  }
}

/** The inverse document frequency of a term that `holding` of `all` passages hold. */
export function rarity(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}

// --- the best passages --------------------------------------------------------------------------------------------

export interface Scored {
  place: number;
  score: number;
}

/** The best `limit` passages, best first, with at most `perDocument` of each document. */
export function bestPlaces(
  table: PassageTable,
  scores: Scores,
  { limit, perDocument }: { limit: number; perDocument: number },
): Scored[] {
  let best: Scored[] = [];
  let least = 0;
  for (let document = 0; document < table.documents.length; document++) {
    const own: Scored[] = [];
    for (let place = table.firstOf[document] ?? 0; place < (table.firstOf[document + 1] ?? 0); place++) {
      const score = scores.of(place);
      if (score > least) own.push({ place, score });
    }
    if (own.length > perDocument) own.sort(byScore).length = perDocument;
    best.push(...own);
    if (best.length < limit * 4 + 100) continue;
    best = best.sort(byScore).slice(0, limit);
    // A later passage with an equal score is behind these.
    least = best.at(-1)?.score ?? 0;
  }
  return best.sort(byScore).slice(0, limit);
}

export function byScore(left: Scored, right: Scored): number {
  return right.score - left.score || left.place - right.place;
}
