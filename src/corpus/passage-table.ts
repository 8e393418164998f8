// The passages that can be found, in memory: where each one stands, and how long it and its section are.
import type { Database } from "bun:sqlite";
import type { Digest } from "../kernel/digest.ts";
import { DamagedIndex } from "./index-database.ts";
import { sealOfBytes } from "./seal.ts";

/** So many times a word of the title counts, and so often it is counted in the length: the words below it must not seem dense by it. */
export const TITLE_WEIGHT = 3;

/** Added to the length of a passage that does not stand under the headings of the one before. */
export const BEGINS_SECTION = 0x8000;

/**
 * Passages and documents are numbered by content alone, by path and then by place: where scores are equal, the lower
 * number comes first, in whatever order the files were indexed.
 */
export class PassageTable {
  readonly documents: readonly { path: string; digest: Digest }[];
  /** The place of a passage by its id in the index; -1 for one that is gone or stands in a copy. */
  readonly placeOf: Int32Array;
  readonly idOf: Int32Array;
  readonly documentOf: Int32Array;
  /** In terms, weighted. */
  readonly length: Int32Array;
  /** Neighbouring passages under the same headings are a section; without headings, the document is one. */
  readonly sectionOf: Int32Array;
  readonly sectionLength: Float64Array;
  /** The first place of each document, and behind the last one the number of places. */
  readonly firstOf: Int32Array;
  readonly count: number;
  readonly averageLength: number;
  readonly averageSectionLength: number;

  constructor(database: Database) {
    const extents = extentsOf(database);
    this.documents = extents;
    this.count = extents.reduce((sum, { lengths }) => sum + lengths.length, 0);
    this.placeOf = new Int32Array(
      extents.reduce((most, { first, lengths }) => Math.max(most, first + lengths.length), 0),
    );
    this.placeOf.fill(-1);
    this.idOf = new Int32Array(this.count);
    this.documentOf = new Int32Array(this.count);
    this.length = new Int32Array(this.count);
    this.sectionOf = new Int32Array(this.count);
    const sections: number[] = [];
    this.firstOf = new Int32Array(extents.length + 1);
    let place = 0;
    let total = 0;
    for (const [document, { first, lengths }] of extents.entries()) {
      this.firstOf[document] = place;
      for (const [index, packed] of lengths.entries()) {
        const length = packed & ~BEGINS_SECTION;
        if (packed !== length) sections.push(0);
        const section = sections.length - 1;
        sections[section] = (sections[section] ?? 0) + length;
        this.sectionOf[place] = section;
        this.placeOf[first + index] = place;
        this.idOf[place] = first + index;
        this.documentOf[place] = document;
        this.length[place++] = length;
        total += length;
      }
    }
    this.firstOf[extents.length] = place;
    this.averageLength = total / Math.max(this.count, 1);
    this.sectionLength = Float64Array.from(sections);
    this.averageSectionLength = total / Math.max(sections.length, 1);
  }
}

interface Extent {
  path: string;
  digest: Digest;
  first: number;
  lengths: Uint16Array;
}

/**
 * Of documents with the same bytes only the first path is found: a quote from either is the same, and which of the
 * names a source has must not depend on chance.
 */
function extentsOf(database: Database): Extent[] {
  const rows = database
    .query(
      "SELECT path, digest, first_passage AS first, lengths, extents.seal FROM extents JOIN files ON files.id = file_id",
    )
    .all() as (Omit<Extent, "lengths"> & { lengths: Uint8Array; seal: number })[];
  if (rows.some(({ lengths, first, seal }) => sealOfBytes(lengths, first) !== seal))
    throw new DamagedIndex("the lengths of a file are not as they were written");
  rows.sort((left, right) => (left.path < right.path ? -1 : 1));
  const seen = new Set<string>();
  return rows
    .filter(({ digest }) => !seen.has(digest) && seen.add(digest))
    .map(({ path, digest, first, lengths }) => ({
      path,
      digest,
      first,
      lengths: new Uint16Array(lengths.slice().buffer),
    }));
}
