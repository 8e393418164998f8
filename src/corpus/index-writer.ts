// Puts one file's passages into an index and takes them out again.
import type { Database } from "bun:sqlite";
import type { Digest } from "../kernel/digest.ts";
import { formatOf } from "./formats.ts";
import type { Pacer } from "./pacer.ts";
import { passagesOf } from "./passages.ts";
import type { SkipReason } from "./skipped.ts";
import { spacedText } from "./terms.ts";

const HEADING_SEPARATOR = " > ";

const MERGE_PAGES = 64;
/** Source: sqlite.org/fts5.html, "The 'merge' Command": fewer changes than this mean that it did nothing. */
const CHANGES_OF_A_MERGE = 2;

export interface NewDocument {
  path: string;
  stamp: string;
  digest: Digest;
  text: string;
}

/** Prepared once per update; to be used inside a transaction. */
export class IndexWriter {
  private readonly insertFile;
  private readonly nameFile;
  private readonly renewStamp;
  private readonly deleteFile;
  private readonly insertPassage;
  private readonly deletePassages;
  private readonly insertWords;
  private readonly deleteWords;
  private readonly mergeWords;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.insertFile = database.query<never, (string | null)[]>(
      "INSERT INTO files (path, stamp, digest, first_heading, skip_reason) VALUES (?, ?, ?, '', ?)",
    );
    this.nameFile = database.query("UPDATE files SET first_heading = ? WHERE id = ?");
    this.renewStamp = database.query("UPDATE files SET stamp = ? WHERE id = ?");
    this.deleteFile = database.query("DELETE FROM files WHERE id = ?");
    this.insertPassage = database.query<never, (number | string | null)[]>(
      `INSERT INTO passages (file_id, start_byte, end_byte, title, body, heading_path, original_body)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.deletePassages = database.query("DELETE FROM passages WHERE file_id = ?");
    this.insertWords = database.query("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)");
    // FTS5 keeps its averages true only when it is told exactly which words leave.
    this.deleteWords = database.query(
      "INSERT INTO words (words, rowid, title, body) SELECT 'delete', id, title, body FROM passages WHERE file_id = ?",
    );
    this.mergeWords = database.query("INSERT INTO words (words, rank) VALUES ('merge', ?)");
  }

  remove(fileId: number): void {
    this.deleteWords.run(fileId);
    this.deletePassages.run(fileId);
    this.deleteFile.run(fileId);
  }

  renew(fileId: number, stamp: string): void {
    this.renewStamp.run(stamp, fileId);
  }

  addUnfit(path: string, stamp: string, reason: SkipReason): void {
    this.insertFile.run(path, stamp, null, reason);
  }

  /** Merges a few pages of the word index, so that searching stays fast; false when there is nothing left to merge. */
  mergeSome(): boolean {
    const before = this.changes();
    this.mergeWords.run(MERGE_PAGES);
    return this.changes() - before >= CHANGES_OF_A_MERGE;
  }

  private changes(): number {
    return (this.database.query("SELECT total_changes() AS changes").get() as { changes: number }).changes;
  }

  async addDocument({ path, stamp, digest, text }: NewDocument, pacer: Pacer): Promise<void> {
    const fileId = this.insertFile.run(path, stamp, digest, null).lastInsertRowid;
    const offsets = new ByteOffsets(text);
    let firstHeading = "";
    for (const { start, end, headings } of passagesOf(text, formatOf(path))) {
      await pacer.pause();
      firstHeading ||= headings[0] ?? "";
      const headingPath = headings.join(HEADING_SEPARATOR);
      const original = text.slice(start, end);
      const title = headingPath === "" ? wordsOfPath(path) : spacedText(headingPath);
      const body = spacedText(original);
      const span = [offsets.at(start), offsets.at(end)] as const;
      const kept = body === original ? null : original;
      const passage = this.insertPassage.run(Number(fileId), ...span, title, body, headingPath, kept);
      this.insertWords.run(passage.lastInsertRowid, title, body);
    }
    if (firstHeading !== "") this.nameFile.run(firstHeading, fileId);
  }
}

/** What is known of a passage without a heading: its file and the folder around it. */
function wordsOfPath(path: string): string {
  return spacedText(path.split("/").slice(-2).join(" "));
}

/** Byte offsets of string offsets that only ever grow. */
class ByteOffsets {
  private readonly text: string;
  private reached = 0;
  private bytes = 0;

  constructor(text: string) {
    this.text = text;
  }

  at(offset: number): number {
    this.bytes += Buffer.byteLength(this.text.slice(this.reached, offset));
    this.reached = offset;
    return this.bytes;
  }
}
