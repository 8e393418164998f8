// Finds the passages of one index that fit a query best, in an order that depends on content alone.
import type { Database } from "bun:sqlite";
import type { Digest } from "../kernel/digest.ts";
import { matchExpression } from "./match-expression.ts";
import { PASSAGES_PER_DOCUMENT } from "./spread.ts";

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
// insertion, and every cut is made by the rounded value, then by content, so that no tie is cut by row number. The
// share of the query's words that a passage holds counts for more than how rare they are: one rare word is no answer.
// Of each document come first a few; only when those are too few, the others.
const SEARCH = `
  WITH scored AS MATERIALIZED (
    SELECT rowid AS id, bm25(words, ${TITLE_WEIGHT}, 1) AS rank
    FROM words WHERE words MATCH $any AND rowid NOT IN (SELECT id FROM temp.copies)
  ),
  held AS (
    SELECT words.rowid AS id, count(*) AS terms
    FROM json_each($each) AS term JOIN words ON words MATCH term.value GROUP BY words.rowid
  ),
  found AS (
    SELECT scored.id, round(scored.rank * pow(1.0 * held.terms / json_array_length($each), 2), ${SCORE_DECIMALS}) AS rank
    FROM scored JOIN held ON held.id = scored.id
  ),
  placed AS (
    SELECT found.id, found.rank,
      row_number() OVER (PARTITION BY passages.file_id ORDER BY found.rank, passages.start_byte)
        > ${PASSAGES_PER_DOCUMENT} AS is_surplus
    FROM found JOIN passages ON passages.id = found.id
  ),
  worst AS (SELECT is_surplus, rank FROM placed ORDER BY is_surplus, rank LIMIT 1 OFFSET $limit - 1)
  SELECT files.path, files.digest, passages.heading_path, passages.start_byte AS start, passages.end_byte AS end,
    coalesce(passages.original_body, passages.body) AS text, 0 - placed.rank AS score
  FROM placed JOIN passages ON passages.id = placed.id JOIN files ON files.id = passages.file_id
  WHERE (placed.is_surplus, placed.rank) <= (
    coalesce((SELECT is_surplus FROM worst), placed.is_surplus), coalesce((SELECT rank FROM worst), placed.rank)
  )
  ORDER BY placed.is_surplus, placed.rank, files.path, passages.start_byte
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
  const { any, each } = expression;
  const found = database
    .query<FoundPassage, { any: string; each: string; limit: number }>(SEARCH)
    .all({ any, each: JSON.stringify(each), limit });
  return found.sort(byScore);
}

function byScore(left: FoundPassage, right: FoundPassage): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.start - right.start;
}
