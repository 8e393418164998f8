// Gathers in memory the postings of the documents that one transaction adds, and writes them as one batch.
import type { Database } from "bun:sqlite";
import { TITLE_WEIGHT } from "./passage-table.ts";
import { PostingList } from "./posting-list.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import { sealOfBytes } from "./seal.ts";
import { camelParts, cutWords, termOf } from "../words/term-cutter.ts";
import { isAscii } from "../words/terms.ts";
import { WordTable } from "../words/word-table.ts";

export class PostingBatch {
  private readonly lists = new Map<string, PostingList>();
  /** The same lists by each word whose stem is the term. */
  private readonly listsByWord = new WordTable<PostingList>((word) => {
    const term = termOf(word);
    const list = this.lists.get(term) ?? new PostingList();
    this.lists.set(term, list);
    return list;
  });

  /** The column names of the last rows, and the list of each of their words: names are cut into words once a table. */
  private columns = { names: "", lists: [] as PostingList[] };

  /** `columns` are the column names above a row of a table. Returns the length in terms; those of the title count by their weight. */
  add(passage: number, title: string, text: string, columns = ""): number {
    const titleLength = this.each(title, (list) => list.addTitle(passage));
    const lists = this.listsOfColumns(columns);
    for (const list of lists) list.addText(passage);
    return TITLE_WEIGHT * titleLength + lists.length + this.each(text, (list) => list.addText(passage));
  }

  private listsOfColumns(names: string): readonly PostingList[] {
    if (names !== this.columns.names) {
      const lists: PostingList[] = [];
      this.each(names, (list) => lists.push(list));
      this.columns = { names, lists };
    }
    return this.columns.lists;
  }

  /** Visits the list of each term of the text, in the way of `cutTerms`. Returns their number. */
  private each(text: string, visit: (list: PostingList) => void): number {
    if (!isAscii(text)) {
      const words = cutWords(text);
      for (const word of words) visit(this.listsByWord.of(word));
      return words.length;
    }
    const parts = camelParts(text);
    for (const part of parts) visit(this.listsByWord.of(part));
    return parts.length + this.listsByWord.each(text.toLowerCase(), visit);
  }

  /** Has to be called inside of the transaction that added the passages. */
  async write(database: Database, pacer: Pacer): Promise<void> {
    if (this.lists.size === 0) return;
    const batch = new BatchWriter(database);
    for (const [term, list] of this.lists) {
      await pacer.pause();
      batch.insert(term, list);
    }
    batch.end();
    this.lists.clear();
    this.listsByWord.clear();
    this.columns = { names: "", lists: [] };
  }
}

/** Writes posting lists into the database as one new batch. */
export class BatchWriter {
  private readonly database: Database;
  private readonly batch: number;
  private readonly insertList;
  private bytes = 0;

  constructor(database: Database) {
    this.database = database;
    this.batch = Number(database.query("INSERT INTO batches (bytes) VALUES (0)").run().lastInsertRowid);
    this.insertList = database.query<never, [number, string, number, Uint8Array, number]>(
      "INSERT INTO postings (batch, term, held, passages, seal) VALUES (?, ?, ?, ?, ?)",
    );
  }

  insert(term: string, list: PostingList): void {
    const bytes = list.toBytes();
    if (bytes.length === 0) return;
    this.bytes += bytes.length;
    this.insertList.run(this.batch, term, list.held, bytes, sealOfBytes(bytes, list.held));
  }

  end(): void {
    this.database.query("UPDATE batches SET bytes = ? WHERE batch = ?").run(this.bytes, this.batch);
  }
}
