// Adds files and their passages to an index, and removes them.
import type { Database } from "bun:sqlite";
import type { Digest } from "../../kernel/digest.ts";
import { formatOf } from "../formats/formats.ts";
import { FILE_COLUMNS, sealOfFile, valuesOf, type IndexedFile } from "./indexed-files.ts";
import { TitleHeading } from "../blocks/headings.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import { BEGINS_SECTION } from "./passage-table.ts";
import { passagesOf } from "../blocks/passages.ts";
import { PostingBatch } from "./posting-batch.ts";
import { sealOf, sealOfBytes } from "./seal.ts";
import type { SkipReason } from "../formats/skipped.ts";
import type { UnreadParts } from "../extract/unread-parts.ts";

const HEADING_SEPARATOR = " > ";
const MAX_LENGTH = BEGINS_SECTION - 1;

const NOT_SKIPPED = { skip_reason: null, skip_detail: null };
const ALL_READ = { unread_count: 0, unread_words: null };

interface NewDocument {
  path: string;
  stamp: string;
  digest: Digest;
  text: string;
  unread: UnreadParts | null;
}

/** Made once for an update. All methods have to be called inside of a transaction. */
export class IndexWriter {
  private readonly insertFile;
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
    this.insertFile = database.query<never, (string | number | null)[]>(
      `INSERT INTO files (${FILE_COLUMNS}, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.renewStamp = database.query("UPDATE files SET stamp = ?, seal = ? WHERE id = ?");
    this.deleteFile = database.query("DELETE FROM files WHERE id = ?");
    this.insertPassage = database.query<never, (number | string)[]>(
      "INSERT INTO passages (start_byte, end_byte, body, heading_path, columns, seal) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.insertExtent = database.query<never, [number, number, Uint8Array, number]>(
      "INSERT INTO extents (file_id, first_passage, lengths, seal) VALUES (?, ?, ?, ?)",
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

  renew(file: IndexedFile, stamp: string): void {
    this.renewStamp.run(stamp, sealOfFile({ ...file, stamp }), file.id);
  }

  addUnfit(path: string, stamp: string, file: { reason: SkipReason; detail?: string }): void {
    const skip = { skip_reason: file.reason, skip_detail: file.detail ?? null };
    this.addFile({ path, stamp, digest: null, first_heading: "", ...skip, ...ALL_READ });
  }

  private addFile(file: Omit<IndexedFile, "id">): number {
    const row = this.insertFile.run(...valuesOf(file), sealOfFile(file));
    return Number(row.lastInsertRowid);
  }

  /** Writes the gathered postings. Has to be called before the transaction ends. */
  async flush(pacer: Pacer): Promise<void> {
    await this.batch.write(this.database, pacer);
  }

  async addDocument({ path, stamp, digest, text, unread }: NewDocument, pacer: Pacer): Promise<void> {
    const offsets = new ByteOffsets(text);
    const lengths: number[] = [];
    const pathWords = wordsOfPath(path);
    const title = new TitleHeading();
    let firstPassage = 0;
    let sectionPath: string | null = null;
    for (const { start, end, headings, level, columns = "" } of passagesOf(text, formatOf(path))) {
      await pacer.pause();
      title.meet(headings[0], level);
      const headingPath = headings.join(HEADING_SEPARATOR);
      const body = text.slice(start, end);
      const [startByte, endByte] = [offsets.at(start), offsets.at(end)];
      const seal = sealOf(startByte, endByte, headingPath, columns, body);
      const row = this.insertPassage.run(startByte, endByte, body, headingPath, columns, seal);
      const passage = Number(row.lastInsertRowid);
      firstPassage ||= passage;
      const words = headingPath === "" ? `${pathWords}\n${body}` : body;
      const length = Math.min(this.batch.add(passage, headingPath, words, columns), MAX_LENGTH);
      lengths.push(headingPath === sectionPath ? length : length + BEGINS_SECTION);
      sectionPath = headingPath;
    }
    const unreadParts = unread === null ? ALL_READ : { unread_count: unread.count, unread_words: unread.words };
    const fileId = this.addFile({ path, stamp, digest, first_heading: title.text, ...NOT_SKIPPED, ...unreadParts });
    const lengthBytes = new Uint8Array(Uint16Array.from(lengths).buffer);
    this.insertExtent.run(fileId, firstPassage, lengthBytes, sealOfBytes(lengthBytes, firstPassage));
  }
}

/** The words of the file and its folder, for passages without a heading. Numbers are left out: they say nothing in a name. */
function wordsOfPath(path: string): string {
  const names = path
    .replace(/\.[^./]*$/, "")
    .split("/")
    .slice(-2);
  return names.join(" ").replace(/(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, "");
}

/** Turns string offsets, which come in rising order, into byte offsets. */
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
