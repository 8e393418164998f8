// Keeps in the index the texts that were taken out of documents, so that quotes are looked up without reading these again.
import type { Database } from "bun:sqlite";
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";

export const EXTRACTED_TEXTS_SCHEMA = `
  CREATE TABLE extracted_texts (file_id INTEGER PRIMARY KEY, digest TEXT NOT NULL, text TEXT NOT NULL);
`;

export function keepExtractedText(database: Database, path: string, text: string): void {
  database
    .query("INSERT INTO extracted_texts (file_id, digest, text) SELECT id, ?, ? FROM files WHERE path = ?")
    .run(digestOfBytes(text), text, path);
}

/** Null when the text is missing or was altered. `digest` is that of the bytes of the document. */
export function extractedTextOf(database: Database, path: string, digest: Digest): string | null {
  const row = database
    .query(
      `SELECT extracted_texts.digest, text FROM files JOIN extracted_texts ON file_id = id
       WHERE path = ? AND files.digest = ?`,
    )
    .get(path, digest) as { digest: unknown; text: unknown } | null;
  if (typeof row?.text !== "string" || digestOfBytes(row.text) !== row.digest) return null;
  return row.text;
}
