// Puts one file's passages into an index and takes them out again.
import type { Database } from "bun:sqlite";
import type { Digest } from "../kernel/digest.ts";
import { formatOf } from "./formats.ts";
import type { Pacer } from "./pacer.ts";
import { passagesOf } from "./passages.ts";
import { PostingBatch } from "./posting-batch.ts";
import type { SkipReason } from "./skipped.ts";

const HEADING_SEPARATOR = " > ";
const MAX_LENGTH = 0xffff;

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
  private readonly insertExtent;
  private readonly deletePassages;
  private readonly deleteExtent;
  private readonly deleteExtractedText;
  private readonly database: Database;
  private readonly batch = new PostingBatch();

  constructor(database: Database) {
    this.database = database;
    this.insertFile = database.query<never, (string | null)[]>(
      "INSERT INTO files (path, stamp, digest, first_heading, skip_reason) VALUES (?, ?, ?, '', ?)",
    );
    this.nameFile = database.query("UPDATE files SET first_heading = ? WHERE id = ?");
    this.renewStamp = database.query("UPDATE files SET stamp = ? WHERE id = ?");
    this.deleteFile = database.query("DELETE FROM files WHERE id = ?");
    this.insertPassage = database.query<never, (number | string)[]>(
      "INSERT INTO passages (start_byte, end_byte, body, heading_path) VALUES (?, ?, ?, ?)",
    );
    this.insertExtent = database.query<never, [number, number, Uint8Array]>(
      "INSERT INTO extents (file_id, first_passage, lengths) VALUES (?, ?, ?)",
    );
    this.deletePassages = database.query(
      `DELETE FROM passages WHERE id BETWEEN (SELECT first_passage FROM extents WHERE file_id = $file)
       AND (SELECT first_passage + length(lengths) / 2 - 1 FROM extents WHERE file_id = $file)`,
    );
    this.deleteExtent = database.query("DELETE FROM extents WHERE file_id = ?");
    this.deleteExtractedText = database.query("DELETE FROM extracted_texts WHERE file_id = ?");
  }

  remove(fileId: number): void {
    this.deletePassages.run({ file: fileId });
    this.deleteExtent.run(fileId);
    this.deleteExtractedText.run(fileId);
    this.deleteFile.run(fileId);
  }

  renew(fileId: number, stamp: string): void {
    this.renewStamp.run(stamp, fileId);
  }

  addUnfit(path: string, stamp: string, reason: SkipReason): void {
    this.insertFile.run(path, stamp, null, reason);
  }

  /** Writes what is still in memory of the documents added so far; to be called before the transaction ends. */
  async flush(pacer: Pacer): Promise<void> {
    await this.batch.write(this.database, pacer);
  }

  async addDocument({ path, stamp, digest, text }: NewDocument, pacer: Pacer): Promise<void> {
    const fileId = Number(this.insertFile.run(path, stamp, digest, null).lastInsertRowid);
    const offsets = new ByteOffsets(text);
    const lengths: number[] = [];
    const pathWords = wordsOfPath(path);
    let firstHeading = "";
    let firstPassage = 0;
    for (const { start, end, headings } of passagesOf(text, formatOf(path))) {
      await pacer.pause();
      firstHeading ||= headings[0] ?? "";
      const headingPath = headings.join(HEADING_SEPARATOR);
      const body = text.slice(start, end);
      const row = this.insertPassage.run(offsets.at(start), offsets.at(end), body, headingPath);
      const passage = Number(row.lastInsertRowid);
      firstPassage ||= passage;
      lengths.push(
        Math.min(this.batch.add(passage, headingPath, headingPath === "" ? `${pathWords}\n${body}` : body), MAX_LENGTH),
      );
    }
    this.insertExtent.run(fileId, firstPassage, new Uint8Array(Uint16Array.from(lengths).buffer));
    if (firstHeading !== "") this.nameFile.run(firstHeading, fileId);
  }
}

/** What is known of a passage without a heading: its file and the folder around it; numbers there say nothing. */
function wordsOfPath(path: string): string {
  const names = path
    .replace(/\.[^./]*$/, "")
    .split("/")
    .slice(-2);
  return names.join(" ").replace(/(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, "");
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
