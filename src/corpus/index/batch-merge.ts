// Merges small batches of postings into one, so that a search reads few lists per term.
import type { Database } from "bun:sqlite";
import type { Pacer } from "../../kernel/pacer.ts";
import { BatchWriter } from "./posting-batch.ts";
import { PostingList, Postings } from "./posting-list.ts";

const MAX_BATCHES = 8;
const TERMS_AT_ONCE = 1_000;

interface Batch {
  batch: number;
  bytes: number;
}

/** Has to be called outside of a transaction. Postings of removed passages are dropped. */
export async function mergeBatches(database: Database, pacer: Pacer): Promise<void> {
  const small = smallBatches(database);
  if (small.length < 2) return;
  database.run("BEGIN IMMEDIATE");
  try {
    await merge(database, small, pacer);
    for (const batch of small) await removeBatch(database, batch, pacer);
    database.run("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  }
}

/** The smallest batches, up to one that is larger than all before it, so that each posting is merged only a few times. */
function smallBatches(database: Database): number[] {
  const batches = database.query("SELECT batch, bytes FROM batches ORDER BY bytes, batch").all() as Batch[];
  const most = batches.length - MAX_BATCHES;
  if (most <= 0) return [];
  let together = 0;
  const end = batches.findIndex(({ bytes }, index) => {
    if (index > most && bytes > together) return true;
    together += bytes;
    return false;
  });
  return batches.slice(0, end === -1 ? batches.length : end).map(({ batch }) => batch);
}

async function merge(database: Database, batches: readonly number[], pacer: Pacer): Promise<void> {
  const isThere = livePassages(database);
  const target = new BatchWriter(database);
  const cursors = batches.map((batch) => new Cursor(database, batch)).filter((cursor) => cursor.isOpen);
  const postings = new Postings();
  while (cursors.length > 0) {
    await pacer.pause();
    const { key, term } = cursors.reduce((least, cursor) =>
      Buffer.compare(cursor.key, least.key) < 0 ? cursor : least,
    );
    postings.clear();
    for (const cursor of cursors.filter((each) => each.key.equals(key))) {
      postings.read(cursor.passages);
      if (!cursor.next()) cursors.splice(cursors.indexOf(cursor), 1);
    }
    target.insert(term, listOf(postings, isThere));
  }
  target.end();
}

/** Sorts the postings of several batches by passage, since a changed file gets new passages in a later batch. */
function listOf({ passages, inText, inTitle, count }: Postings, isThere: Uint8Array): PostingList {
  const packed: number[] = [];
  for (let at = 0; at < count; at++) {
    const passage = passages[at] ?? 0;
    if (isThere[passage] === 1) packed.push(passage * 0x10000 + (inText[at] ?? 0) * 0x100 + (inTitle[at] ?? 0));
  }
  const list = new PostingList();
  for (const posting of Float64Array.from(packed).sort()) {
    list.add(Math.floor(posting / 0x10000), Math.floor(posting / 0x100) % 0x100, posting % 0x100);
  }
  return list;
}

async function removeBatch(database: Database, batch: number, pacer: Pacer): Promise<void> {
  const remove = database.query(
    `DELETE FROM postings WHERE batch = $batch
     AND term IN (SELECT term FROM postings WHERE batch = $batch ORDER BY term LIMIT ${TERMS_AT_ONCE})`,
  );
  while (remove.run({ batch }).changes > 0) await pacer.pause();
  database.query("DELETE FROM batches WHERE batch = ?").run(batch);
}

function livePassages(database: Database): Uint8Array {
  const extents = database.query("SELECT first_passage AS first, length(lengths) / 2 AS count FROM extents").all();
  const rows = extents as { first: number; count: number }[];
  const isThere = new Uint8Array(rows.reduce((most, { first, count }) => Math.max(most, first + count), 0));
  for (const { first, count } of rows) isThere.fill(1, first, first + count);
  return isThere;
}

/**
 * Walks the terms of one batch in the order of their bytes, in which SQLite keeps them. A query over all batches would sort
 * all their terms in memory, without a pause.
 */
class Cursor {
  term = "";
  key: Buffer = Buffer.alloc(0);
  passages: Uint8Array = new Uint8Array();
  isOpen: boolean;
  private readonly rows: Iterator<{ term: string; passages: Uint8Array }>;

  constructor(database: Database, batch: number) {
    const select = database.prepare<{ term: string; passages: Uint8Array }, [number]>(
      "SELECT term, passages FROM postings WHERE batch = ? ORDER BY term",
    );
    this.rows = select.iterate(batch);
    this.isOpen = this.next();
  }

  next(): boolean {
    const { done, value } = this.rows.next();
    if (done === true) return false;
    this.term = value.term;
    this.key = Buffer.from(value.term);
    this.passages = value.passages;
    return true;
  }
}
