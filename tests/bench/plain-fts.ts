// What everything is compared with: SQLite's own full-text index, its words joined by OR, stop words left out.
import { Database } from "bun:sqlite";
import { withoutStopWords } from "../../src/corpus/stop-words.ts";
import { wordsOf } from "../../src/corpus/terms.ts";

export interface PlainPassage {
  path: string;
  title: string;
  body: string;
}

export class PlainFts {
  private readonly database: Database;
  private readonly passages: readonly PlainPassage[];
  private readonly titleWeight: number;

  constructor(passages: readonly PlainPassage[], { titleWeight, file }: { titleWeight: number; file: string }) {
    this.passages = passages;
    this.titleWeight = titleWeight;
    this.database = new Database(file);
    this.database.run("PRAGMA journal_mode = WAL");
    this.database.run("CREATE VIRTUAL TABLE words USING fts5 (title, body, tokenize = 'porter unicode61')");
    const insert = this.database.prepare("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)");
    this.database.transaction(() => passages.forEach(({ title, body }, index) => insert.run(index + 1, title, body)))();
  }

  find(query: string, limit: number): string[] {
    const words = [...new Set(withoutStopWords(wordsOf(query)))].map((word) => `"${word}"`);
    if (words.length === 0) return [];
    const rows = this.database
      .query("SELECT rowid AS row FROM words WHERE words MATCH ? ORDER BY bm25(words, ?, 1) LIMIT ?")
      .all(words.join(" OR "), this.titleWeight, limit) as { row: number }[];
    return rows.map(({ row }) => this.passages[row - 1]?.path ?? "");
  }

  close(): void {
    this.database.close();
  }
}
