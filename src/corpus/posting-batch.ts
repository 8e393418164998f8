// The postings of the documents that one transaction adds: gathered in memory, then written under one number.
import type { Database } from "bun:sqlite";
import { TITLE_WEIGHT } from "./passage-table.ts";
import { PostingList } from "./posting-list.ts";
import type { Pacer } from "./pacer.ts";
import { sealOfBytes } from "./seal.ts";
import { camelParts, cutWords, termOf } from "./term-cutter.ts";
import { isAscii } from "./terms.ts";
import { WordTable } from "./word-table.ts";

export class PostingBatch {
  private readonly lists = new Map<string, PostingList>();
  /** The same lists by every form of their term. */
  private readonly listsByWord = new WordTable<PostingList>((word) => {
    const term = termOf(word);
    const list = this.lists.get(term) ?? new PostingList();
    this.lists.set(term, list);
    return list;
  });

  /** The names above the rows that were added last, and the list of each of their words. */
  private columns = { names: "", lists: [] as PostingList[] };

  /** Returns how many terms there are in all, those of the title by their weight. The rows of a table are found by the names of its columns, too. */
  add(passage: number, title: string, text: string, columns = ""): number {
    const titleLength = this.each(title, (list) => list.addTitle(passage));
    const lists = this.listsOfColumns(columns);
    for (const list of lists) list.addText(passage);
    return TITLE_WEIGHT * titleLength + lists.length + this.each(text, (list) => list.addText(passage));
  }

  /** Cut into words once per table. */
  private listsOfColumns(names: string): readonly PostingList[] {
    if (names !== this.columns.names) {
      const lists: PostingList[] = [];
      this.each(names, (list) => lists.push(list));
      this.columns = { names, lists };
    }
    return this.columns.lists;
  }

  /** Visits the list of each word, and of the parts of camelCase names, as `cutTerms` cuts them. */
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

  /** To be called inside the transaction that added the passages. */
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
