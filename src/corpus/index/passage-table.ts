// Holds in memory, for each passage that can be found, its document, its section and their lengths.
import type { Database } from "bun:sqlite";
import type { Digest } from "../../kernel/digest.ts";
import { DamagedIndex } from "./index-database.ts";
import { sealOfBytes } from "./seal.ts";

/** A term of the title counts as this many terms of the text, in scores and in lengths. */
export const TITLE_WEIGHT = 3;

/** The bit that marks the first passage of a section; the other bits are the length. */
export const BEGINS_SECTION = 0x8000;

/**
 * Documents are numbered by path, and passages ("places") by document and offset. Of equal scores the lower place comes first,
 * so that results do not depend on the order in which files were indexed.
 */
export class PassageTable {
  readonly documents: readonly { path: string; digest: Digest }[];
  /** The place of a passage by its id in the index; -1 for a removed passage and for one of a copy. */
  readonly placeOf: Int32Array;
  readonly idOf: Int32Array;
  readonly documentOf: Int32Array;
  /** In terms; those of the title count by their weight. */
  readonly length: Int32Array;
  /** Neighbouring passages under the same headings are a section. A document without headings is one section. */
  readonly sectionOf: Int32Array;
  readonly sectionLength: Float64Array;
  /** The first place of each document; the last entry is the number of places. */
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
 * The documents by path. Of documents with the same bytes only the first one is kept, so that the name of a source does not
 * depend on chance.
 */
function extentsOf(database: Database): Extent[] {
  const rows = database
    .query(
      "SELECT path, digest, first_passage AS first, lengths, extents.seal FROM extents JOIN files ON files.id = file_id",
    )
    .all() as (Omit<Extent, "lengths"> & { lengths: Uint8Array; seal: number })[];
  if (rows.some(({ lengths, first, seal }) => sealOfBytes(lengths, first) !== seal))
    throw new DamagedIndex("the checksum of the lengths of a file differs");
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
