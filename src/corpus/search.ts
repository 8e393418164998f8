// Finds the passages of one index that fit a query best, in an order that depends on content alone.
import type { Database } from "bun:sqlite";
import type { Digest } from "../kernel/digest.ts";
import { matchExpression } from "./match-expression.ts";

export interface FoundPassage {
  path: string;
  digest: Digest;
  /** "" when no heading stands above. */
  heading_path: string;
  /** Byte offsets into the document. */
  start: number;
  end: number;
  text: string;
  /** Higher is better. */
  score: number;
}

const TITLE_WEIGHT = 3;
const SCORE_DECIMALS = 6;

// bm25() is lower for better. It is rounded, because sums of floats differ in their last digits with the order of
// insertion, and the cut is made by the rounded value, so that no tie is cut by row number.
const SEARCH = `
  WITH found AS MATERIALIZED (
    SELECT rowid AS id, round(bm25(words, ${TITLE_WEIGHT}, 1), ${SCORE_DECIMALS}) AS rank
    FROM words WHERE words MATCH $expression AND rowid NOT IN (SELECT id FROM temp.copies)
  ),
  worst AS (SELECT rank FROM found ORDER BY rank LIMIT 1 OFFSET $limit - 1)
  SELECT files.path, files.digest, passages.heading_path, passages.start_byte AS start, passages.end_byte AS end,
    coalesce(passages.original_body, passages.body) AS text, 0 - found.rank AS score
  FROM found JOIN passages ON passages.id = found.id JOIN files ON files.id = passages.file_id
  WHERE found.rank <= coalesce((SELECT rank FROM worst), found.rank)
  ORDER BY found.rank, files.path, passages.start_byte
  LIMIT $limit
`;

/**
 * Notes the passages of documents that stand a second time under a later path. They are not found: a quote from either
 * is the same, and which of the two names a source must not depend on chance.
 */
export function hideCopies(database: Database): void {
  database.run("CREATE TEMP TABLE IF NOT EXISTS copies (id INTEGER PRIMARY KEY)");
  database.run("DELETE FROM temp.copies");
  database.run(`
    INSERT INTO temp.copies SELECT passages.id FROM files AS copy JOIN passages ON passages.file_id = copy.id
    WHERE EXISTS (SELECT 1 FROM files AS first WHERE first.digest = copy.digest AND first.path < copy.path)
  `);
}

export function searchIndex(database: Database, query: string, limit: number): FoundPassage[] {
  const expression = matchExpression(query);
  if (expression === null || limit < 1) return [];
  return database.query<FoundPassage, { expression: string; limit: number }>(SEARCH).all({ expression, limit });
}
