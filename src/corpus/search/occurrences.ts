// Reads the passages that hold a concept of a query, and how often they hold it.
import type { PassageTable } from "../index/passage-table.ts";
import { Postings } from "../index/posting-list.ts";
import type { PostingReader } from "../index/posting-reader.ts";

/** One term of a query, or several terms of one meaning, which are weighed as one. */
export interface Concept {
  variants: readonly Variant[];
  weight: number;
}

export interface Variant {
  term: string;
  /** The share of the meaning that the term has, at most 1. */
  share: number;
}

/** The arrays are filled again for each concept, sorted by place, so that the passages of a section are neighbours. */
export class Occurrences {
  places = new Int32Array(0);
  inText = new Float64Array(0);
  inTitle = new Float64Array(0);
  count = 0;
  sections = 0;
  private readonly table: PassageTable;
  private readonly reader: PostingReader;
  private readonly postings = new Postings();

  constructor(table: PassageTable, reader: PostingReader) {
    this.table = table;
    this.reader = reader;
  }

  read({ variants }: Concept): void {
    this.count = 0;
    for (const variant of variants) this.append(variant);
    if (variants.length > 1) this.unite();
    this.sections = this.countSections();
  }

  private append({ term, share }: Variant): void {
    const { postings, table } = this;
    postings.clear();
    this.reader.read(term, postings);
    this.reserve(this.count + postings.count);
    let count = this.count;
    for (let at = 0; at < postings.count; at++) {
      const place = table.placeOf[postings.passages[at] ?? 0] ?? -1;
      if (place < 0) continue;
      this.places[count] = place;
      this.inText[count] = share * (postings.inText[at] ?? 0);
      this.inTitle[count++] = share * (postings.inTitle[at] ?? 0);
    }
    this.count = count;
  }

  /** Adds up the counts of several variants in one place, and sorts by place. */
  private unite(): void {
    const sums = new Map<number, { text: number; title: number }>();
    for (let at = 0; at < this.count; at++) {
      const place = this.places[at] ?? 0;
      const { text, title } = sums.get(place) ?? { text: 0, title: 0 };
      sums.set(place, { text: text + (this.inText[at] ?? 0), title: title + (this.inTitle[at] ?? 0) });
    }
    this.count = 0;
    for (const [place, { text, title }] of [...sums].sort(([left], [right]) => left - right)) {
      this.places[this.count] = place;
      this.inText[this.count] = text;
      this.inTitle[this.count++] = title;
    }
  }

  private countSections(): number {
    let sections = 0;
    let last = -1;
    for (let at = 0; at < this.count; at++) {
      const section = this.table.sectionOf[this.places[at] ?? 0] ?? -1;
      if (section !== last) sections++;
      last = section;
    }
    return sections;
  }

  private reserve(size: number): void {
    if (size <= this.places.length) return;
    const { places, inText, inTitle } = this;
    const room = size * 2;
    this.places = new Int32Array(room);
    this.places.set(places);
    this.inText = new Float64Array(room);
    this.inText.set(inText);
    this.inTitle = new Float64Array(room);
    this.inTitle.set(inTitle);
  }
}
