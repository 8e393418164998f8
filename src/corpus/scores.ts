// Scores passages and whole documents by the terms they hold: BM25, with what stands in headings counted more.
// Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
import { Occurrences, type Concept } from "./occurrences.ts";
import type { PassageTable } from "./passage-table.ts";
import type { PostingReader } from "./posting-reader.ts";

const K1 = 1.2;
const B = 0.75;
const TITLE_WEIGHT = 3;
const COMMON_SHARE = 0.2;

/** Sums are made in the order in which the concepts are added: the same concepts give the same bits. */
export class Scores {
  private readonly ofPassages: Float64Array;
  private readonly ofDocuments: Float64Array;
  private readonly table: PassageTable;
  private readonly occurrences: Occurrences;

  constructor(table: PassageTable, reader: PostingReader) {
    this.table = table;
    this.occurrences = new Occurrences(table, reader);
    this.ofPassages = new Float64Array(table.count);
    this.ofDocuments = new Float64Array(table.documents.length);
  }

  /** A passage by itself and as a part of its document, in equal shares; 0 when it holds none of what was asked. */
  of(place: number): number {
    const own = this.ofPassages[place] ?? 0;
    return own === 0 ? 0 : own + (this.ofDocuments[this.table.documentOf[place] ?? 0] ?? 0);
  }

  /** Finds the passages that hold the concept. Returns what it is worth: its weight by how rare it is. */
  find(concept: Concept): number {
    this.occurrences.read(concept);
    this.addToPassages(concept.weight, false);
    this.addToDocuments(concept.weight, false);
    return concept.weight * rarity(this.occurrences.count, this.table.count);
  }

  /** Only raises what was found already; a concept that stands in many passages tells none from the others. */
  raise(concept: Concept): void {
    const most = this.table.count * COMMON_SHARE;
    // What cannot be seldom, whatever is gone, need not be read.
    if (this.occurrences.least(concept) > most) return;
    this.occurrences.read(concept);
    if (this.occurrences.count > most) return;
    this.addToPassages(concept.weight, true);
    this.addToDocuments(concept.weight, true);
  }

  private addToPassages(weight: number, onlyFound: boolean): void {
    const { ofPassages, table } = this;
    const { places, inText, inTitle, count } = this.occurrences;
    const factor = weight * rarity(count, table.count) * (K1 + 1);
    const perLength = (K1 * B) / table.averageLength;
    for (let at = 0; at < count; at++) {
      const place = places[at] ?? 0;
      const before = ofPassages[place] ?? 0;
      if (onlyFound && before === 0) continue;
      const times = (inText[at] ?? 0) + TITLE_WEIGHT * (inTitle[at] ?? 0);
      ofPassages[place] = before + (factor * times) / (times + K1 * (1 - B) + perLength * (table.length[place] ?? 0));
    }
  }

  private addToDocuments(weight: number, onlyFound: boolean): void {
    const { ofDocuments, table } = this;
    const { places, inText, inTitle, count, documents } = this.occurrences;
    const factor = weight * rarity(documents, table.documents.length) * (K1 + 1);
    const perLength = (K1 * B) / table.averageDocumentLength;
    for (let at = 0; at < count;) {
      const document = table.documentOf[places[at] ?? 0] ?? 0;
      let text = 0;
      let title = 0;
      // One heading stands above many passages, and counts once.
      for (; at < count && table.documentOf[places[at] ?? 0] === document; at++) {
        text += inText[at] ?? 0;
        title = Math.max(title, inTitle[at] ?? 0);
      }
      const before = ofDocuments[document] ?? 0;
      if (onlyFound && before === 0) continue;
      const times = text + TITLE_WEIGHT * title;
      const length = table.documentLength[document] ?? 0;
      ofDocuments[document] = before + (factor * times) / (times + K1 * (1 - B) + perLength * length);
    }
  }
}

/** How much it says that something holds a term, by how many of all hold it. */
export function rarity(holding: number, all: number): number {
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}
