// Reads the posting lists and the terms of an index.
import type { Database } from "bun:sqlite";
import { DamagedIndex } from "./index-database.ts";
import type { Postings } from "./posting-list.ts";
import { sealOfBytes } from "./seal.ts";

export class PostingReader {
  private readonly batches: number[];
  private readonly selectList;
  private readonly selectHeld;
  private readonly selectTerms;

  constructor(database: Database) {
    const rows = database.query("SELECT batch FROM batches ORDER BY batch").all() as { batch: number }[];
    this.batches = rows.map(({ batch }) => batch);
    this.selectList = database.query<{ held: number; passages: Uint8Array; seal: number }, [number, string]>(
      "SELECT held, passages, seal FROM postings WHERE batch = ? AND term = ?",
    );
    this.selectHeld = database.query<{ held: number }, [number, string]>(
      "SELECT held FROM postings WHERE batch = ? AND term = ?",
    );
    this.selectTerms = database.query<{ term: string }, [number, string, string, number]>(
      "SELECT term FROM postings WHERE batch = ? AND term >= ? AND term < ? ORDER BY term LIMIT ?",
    );
  }

  read(term: string, into: Postings): void {
    for (const batch of this.batches) {
      const found = this.selectList.get(batch, term);
      if (found === null) continue;
      if (sealOfBytes(found.passages, found.held) !== found.seal)
        throw new DamagedIndex("the checksum of a posting list differs");
      into.read(found.passages);
    }
  }

  /** The most passages that can hold the term. Removed passages count until their batch is merged. */
  most(term: string): number {
    return this.batches.reduce((sum, batch) => sum + (this.selectHeld.get(batch, term)?.held ?? 0), 0);
  }

  /** The first `most` terms with the prefix, sorted. */
  termsWith(prefix: string, most: number): string[] {
    const behind = `${prefix}\u{10ffff}`;
    const terms = this.batches.flatMap((batch) => this.selectTerms.all(batch, prefix, behind, most));
    return [...new Set(terms.map(({ term }) => term))].sort().slice(0, most);
  }
}
