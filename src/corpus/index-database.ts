// The SQLite database of one corpus: its tables, how it is opened, and when it counts as damaged.
import { Database, SQLiteError } from "bun:sqlite";
import { EXTRACTED_TEXTS_SCHEMA } from "./extracted-texts.ts";

/** Raised whenever tables, texts, passages or words are made in another way: an index of another version is made anew. */
const INDEX_VERSION = 19;
const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KB = 16 * 1024;

/** Each seal is a checksum of its row, so that a flipped bit is found where SQLite itself sees none. */
const SCHEMA = `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    digest TEXT,
    first_heading TEXT NOT NULL,
    skip_reason TEXT,
    seal INTEGER NOT NULL
  );
  CREATE INDEX files_by_digest ON files (digest, path);
  -- Ids are never used twice: postings of passages that are gone stay for a while, and stand for nothing then.
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    body TEXT NOT NULL,
    heading_path TEXT NOT NULL,
    columns TEXT NOT NULL,
    seal INTEGER NOT NULL
  );
  -- The passages of a file have neighbouring ids; lengths holds how many terms each one has, in 15 bits;
  -- the highest bit of 16 is set where a section begins.
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

/** Opens the database and makes its tables when there are none. Throws a SQLite error; see `isDamage`. */
export function openIndexDatabase(path: string, mode: "create" | "existing"): Database {
  const database = new Database(path, { create: mode === "create", readwrite: true, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (path !== MEMORY) database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = NORMAL");
    database.run("PRAGMA temp_store = MEMORY");
    database.run(`PRAGMA cache_size = -${CACHE_KB}`);
    if (mode === "create") makeTables(database);
    if (versionOf(database) !== INDEX_VERSION) throw new DamagedIndex("another version, or not an index");
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

/** Closes an index in which damage was found and marks it, so that whoever opens it next makes it anew. */
export function condemnIndex(database: Database): void {
  const { filename } = database;
  database.close();
  if (filename === MEMORY) return;
  try {
    const marked = new Database(filename, { create: false, readwrite: true });
    marked.run("PRAGMA user_version = 0");
    marked.close();
  } catch (error) {
    // Too damaged even for that, or removed: then the next one sees it by itself.
    if (!isDatabaseError(error)) throw error;
  }
}

/** An index that opened, but holds what it should not. */
export class DamagedIndex extends Error {}

const DAMAGE_CODES: ReadonlySet<string> = new Set([
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
  "SQLITE_SCHEMA",
  "SQLITE_FORMAT",
]);

/** True when the file itself is bad, so that only making it anew helps. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedIndex) return true;
  if (!(error instanceof SQLiteError)) return false;
  const code = error.code ?? "";
  // A missing table or column is SQLITE_ERROR: somebody else's database under this name.
  return code === "SQLITE_ERROR" || [...DAMAGE_CODES].some((damage) => code.startsWith(damage));
}

export function isDatabaseError(error: unknown): boolean {
  return error instanceof DamagedIndex || error instanceof SQLiteError;
}
