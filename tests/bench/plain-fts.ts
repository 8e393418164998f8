// The search that all others are compared with: SQLite's own full-text index over the words that our index cuts, joined by
// OR, stop words left out. A German word also stands for what begins with it, as in our index.
import { Database } from "bun:sqlite";
import { isGerman, withoutStopWordsOfQuestion } from "../../src/corpus/words/stop-words.ts";
import { cutTerms, termOf } from "../../src/corpus/words/term-cutter.ts";
import { hasUnspacedScript, wordsOf } from "../../src/corpus/words/terms.ts";

export interface PlainPassage {
  path: string;
  title: string;
  body: string;
}

const GERMAN_ENDING = /(?<=.{4})(en|ern|em|er|es|e|n|s)$/;
const LEAST_STEM = 5;

export class PlainFts {
  private readonly database: Database;
  private readonly passages: readonly PlainPassage[];
  private readonly titleWeight: number;

  constructor(passages: readonly PlainPassage[], { titleWeight, file }: { titleWeight: number; file: string }) {
    this.passages = passages;
    this.titleWeight = titleWeight;
    this.database = new Database(file);
    this.database.run("PRAGMA journal_mode = WAL");
    // The words come cut and brought to their stems: the tokenizer only separates them.
    this.database.run(
      "CREATE VIRTUAL TABLE words USING fts5 (title, body, tokenize = 'unicode61 remove_diacritics 0')",
    );
    const insert = this.database.prepare("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)");
    this.database.transaction(() =>
      passages.forEach(({ title, body }, index) =>
        insert.run(index + 1, cutTerms(title).join(" "), cutTerms(body).join(" ")),
      ),
    )();
  }

  find(query: string, limit: number): string[] {
    const words = wordsOf(query);
    const asked = [...new Set(withoutStopWordsOfQuestion(words))];
    if (asked.length === 0) return [];
    const inGerman = isGerman(words);
    const rows = this.database
      .query("SELECT rowid AS row FROM words WHERE words MATCH ? ORDER BY bm25(words, ?, 1) LIMIT ?")
      .all(asked.map((word) => wanted(word, inGerman)).join(" OR "), this.titleWeight, limit) as { row: number }[];
    return rows.map(({ row }) => this.passages[row - 1]?.path ?? "");
  }

  close(): void {
    this.database.close();
  }
}

function wanted(word: string, inGerman: boolean): string {
  const stem = word.replace(GERMAN_ENDING, "");
  const hasForms = inGerman && (stem.length >= LEAST_STEM || hasUnspacedScript(word));
  return hasForms ? `"${termOf(word)}" OR "${stem}"*` : `"${termOf(word)}"`;
}
