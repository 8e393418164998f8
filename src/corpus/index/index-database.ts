// Opens the SQLite database of one corpus, makes its tables, and distinguishes damage from other errors.
import { Database, SQLiteError } from "bun:sqlite";
import { EXTRACTED_TEXTS_SCHEMA } from "./extracted-texts.ts";

/** Has to be raised when tables, texts, passages or terms change. An index of another version is made anew. */
const INDEX_VERSION = 31;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KB = 16 * 1024;

/** `seal` is a checksum of its row. It finds flipped bits, which SQLite does not see. */
const SCHEMA = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    digest TEXT,
    first_heading TEXT NOT NULL,
    skip_reason TEXT,
    skip_detail TEXT,
    unread_count INTEGER NOT NULL,
    unread_words TEXT,
    seal INTEGER NOT NULL
  );
  CREATE INDEX files_by_digest ON files (digest, path);
  -- Ids are never used twice: postings of removed passages stay until their batch is merged, and name no other passage.
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    body TEXT NOT NULL,
    heading_path TEXT NOT NULL,
    columns TEXT NOT NULL,
    seal INTEGER NOT NULL
  );
  -- The passages of a file have neighbouring ids. lengths has 16 bits for each: the highest is set where a section
  -- begins, the others are the number of its terms.
  CREATE TABLE extents (
    file_id INTEGER PRIMARY KEY,
    first_passage INTEGER NOT NULL,
    lengths BLOB NOT NULL,
    seal INTEGER NOT NULL
  );
  CREATE TABLE batches (batch INTEGER PRIMARY KEY AUTOINCREMENT, bytes INTEGER NOT NULL);
  CREATE TABLE postings (
    batch INTEGER NOT NULL,
    term TEXT NOT NULL,
    held INTEGER NOT NULL,
    passages BLOB NOT NULL,
    seal INTEGER NOT NULL,
    PRIMARY KEY (batch, term)
  ) WITHOUT ROWID;
`;

export const MEMORY = ":memory:";

/**
 * The endings of the files of a database. The database itself is deleted first: a process that misses it makes it anew, while
 * one that misses only its log would read less.
 */
export const DATABASE_FILES = ["", "-wal", "-shm", "-journal"];

/** Opens the database, and makes the tables of a new one. Throws errors of SQLite, or `DamagedIndex`; see `isDamage`. */
export function openIndexDatabase(path: string, mode: "create" | "existing"): Database {
  const database = new Database(path, { create: mode === "create", readwrite: true, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (path !== MEMORY) database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = NORMAL");
    database.run("PRAGMA temp_store = MEMORY");
    database.run(`PRAGMA cache_size = -${CACHE_KB}`);
    if (mode === "create") makeTables(database);
    if (versionOf(database) !== INDEX_VERSION) throw new DamagedIndex("it has another version, or is no index");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeTables(database: Database): void {
  database
    .transaction(() => {
      const { tables } = database.query("SELECT count(*) AS tables FROM sqlite_schema").get() as { tables: number };
      if (tables > 0) return;
      database.run(SCHEMA);
      database.run(EXTRACTED_TEXTS_SCHEMA);
      database.run(`PRAGMA user_version = ${INDEX_VERSION}`);
    })
    .immediate();
}

function versionOf(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** Closes a damaged index, and marks it so that the next opening makes it anew. */
export function condemnIndex(database: Database): void {
  const { filename } = database;
  database.close();
  if (filename === MEMORY) return;
  try {
    const marked = new Database(filename, { create: false, readwrite: true });
    marked.run("PRAGMA user_version = 0");
    marked.close();
  } catch (error) {
    // The file is too damaged to be marked, or was removed. The next opening finds that by itself.
    if (!isDatabaseError(error)) throw error;
  }
}

/** An index that can be opened, but whose content is wrong. */
export class DamagedIndex extends Error {}

const DAMAGE_CODES: ReadonlySet<string> = new Set([
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
  "SQLITE_SCHEMA",
  "SQLITE_FORMAT",
]);

/** True when the file itself is bad: it has to be made anew. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedIndex) return true;
  if (!(error instanceof SQLiteError)) return false;
  const code = error.code ?? "";
  // SQLITE_ERROR is a missing table or column: the database of another program has this name.
  return code === "SQLITE_ERROR" || [...DAMAGE_CODES].some((damage) => code.startsWith(damage));
}

export function isDatabaseError(error: unknown): boolean {
  return error instanceof DamagedIndex || error instanceof SQLiteError;
}
