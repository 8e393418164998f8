// The index in the cache folder is kept, brought up to date, shared between processes, and made anew when it is damaged.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { openCorpus } from "../../src/corpus/corpus.ts";
import { databaseIn, settle } from "./settle.ts";
import { tryLockIndex } from "../../src/corpus/index/index-lock.ts";
import type { IndexProgress } from "../../src/ports/provider.ts";
import { NO_ABORT, openAt, reasonsOf, TemporaryFolder, readsOf } from "./temporary-folder.ts";

const FILES = {
  "a.md": "# Apple\n\nAn apple is red.",
  "b.md": "# Pear\n\nA pear is green.",
  "bad.dat": new Uint8Array([0, 1]),
};
/** Files that are older than this are not read again. */
const LONG_AGO_S = 10;

async function found(folder: string, cacheFolder: string | null, query: string): Promise<string[]> {
  const corpus = await openAt(folder, cacheFolder);
  const passages = await corpus.search(query, { limit: 10 }, NO_ABORT);
  corpus.close();
  return passages.map((passage) => passage.path);
}

describe("incremental", () => {
  test("only changed files are read again, and files that are no text are remembered, too", async () => {
    using folder = new TemporaryFolder(FILES);
    using cache = new TemporaryFolder();
    expect(await readsOf(folder.path, cache.path)).toEqual(["a.md", "b.md", "bad.dat"]);
    settle(folder.path, cache.path);
    expect(await readsOf(folder.path, cache.path)).toEqual([]);
    folder.write("b.md", "# Plum\n\nA plum is blue.");
    folder.write("c.md", "# Fig\n\nA fig is brown.");
    expect(await readsOf(folder.path, cache.path)).toEqual(["b.md", "c.md"]);
    expect(await found(folder.path, cache.path, "pear plum fig")).toEqual(["c.md", "b.md"].sort());
    fs.rmSync(folder.at("a.md"));
    expect(await found(folder.path, cache.path, "apple")).toEqual([]);
    const corpus = await openAt(folder.path, cache.path);
    expect(reasonsOf(corpus)).toEqual({ "bad.dat": "binary" });
    corpus.close();
  });

  test("a change of the same size is found even if the old time is put back", async () => {
    using folder = new TemporaryFolder(FILES);
    using cache = new TemporaryFolder();
    const long = Date.now() / 1000 - LONG_AGO_S;
    fs.utimesSync(folder.at("a.md"), long, long);
    await readsOf(folder.path, cache.path);
    settle(folder.path, cache.path);
    folder.write("a.md", FILES["a.md"].replaceAll("pple", "corn"));
    fs.utimesSync(folder.at("a.md"), long, long);
    expect(await found(folder.path, cache.path, "acorn")).toEqual(["a.md"]);
  });

  test("a file that was touched shortly before it was read is read again", async () => {
    using folder = new TemporaryFolder(FILES);
    using cache = new TemporaryFolder();
    await readsOf(folder.path, cache.path);
    expect(await readsOf(folder.path, cache.path)).toEqual(["a.md", "b.md", "bad.dat"]);
  });

  test("an open corpus does not change when another process updates the index", async () => {
    using folder = new TemporaryFolder(FILES);
    using cache = new TemporaryFolder();
    const before = await openAt(folder.path, cache.path);
    folder.write("a.md", "# Cherry\n\nA cherry is small.");
    expect(await found(folder.path, cache.path, "cherry")).toEqual(["a.md"]);
    expect((await before.search("apple", { limit: 5 }, NO_ABORT)).length).toBe(1);
    expect(await before.search("cherry", { limit: 5 }, NO_ABORT)).toEqual([]);
    before.close();
  });
});

describe("damage", () => {
  const damages: Record<string, (file: string) => void> = {
    "not a database": (file) =>
      fs.writeFileSync(file, "this is no database, but it is long enough to look like a file ".repeat(200)),
    empty: (file) => fs.truncateSync(file, 0),
    "cut off": (file) => fs.truncateSync(file, 9_000),
    "pages overwritten": (file) => {
      const handle = fs.openSync(file, "r+");
      const size = fs.fstatSync(handle).size;
      fs.writeSync(handle, Buffer.alloc(size - 4096, 0xaa), 0, size - 4096, 4096);
      fs.closeSync(handle);
    },
    "another version": (file) => withDatabase(file, "PRAGMA user_version = 99"),
    "a table is missing": (file) => withDatabase(file, "DROP TABLE postings"),
  };

  function withDatabase(file: string, statement: string): void {
    const database = new Database(file);
    database.run(statement);
    database.close();
  }

  /** Overwrites the page of the database that holds the terms. */
  function overwriteTerms(file: string): void {
    const pageBytes = 4096;
    const database = new Database(file);
    const row = database.query("SELECT passages FROM postings WHERE term = 'appl'").get() as { passages: Uint8Array };
    database.close();
    const at = fs.readFileSync(file).indexOf(Buffer.concat([Buffer.from("appl"), row.passages]));
    expect(at).toBeGreaterThan(pageBytes);
    const handle = fs.openSync(file, "r+");
    fs.writeSync(handle, Buffer.alloc(pageBytes, 0xaa), 0, pageBytes, at - (at % pageBytes));
    fs.closeSync(handle);
  }

  for (const [name, damage] of Object.entries(damages)) {
    test(`${name}: made anew`, async () => {
      using folder = new TemporaryFolder(FILES);
      using cache = new TemporaryFolder();
      await readsOf(folder.path, cache.path);
      settle(folder.path, cache.path);
      const file = databaseIn(cache.path);
      for (const suffix of ["-wal", "-shm"]) fs.rmSync(file + suffix, { force: true });
      damage(file);
      expect(await found(folder.path, cache.path, "apple")).toEqual(["a.md"]);
      // If only the search found the damage, the next opening makes the index anew.
      expect(await found(folder.path, cache.path, "apple")).toEqual(["a.md"]);
      // The cache holds a whole index again.
      settle(folder.path, cache.path);
      expect(await readsOf(folder.path, cache.path)).toEqual([]);
    });
  }

  test("damage that a search finds: the search continues in memory, and the next opening makes the index anew", async () => {
    using folder = new TemporaryFolder(FILES);
    using cache = new TemporaryFolder();
    await readsOf(folder.path, cache.path);
    settle(folder.path, cache.path);
    overwriteTerms(databaseIn(cache.path));
    const corpus = await openAt(folder.path, cache.path);
    expect(await readsOf(folder.path, cache.path)).toEqual([]);
    expect((await corpus.search("apple", { limit: 5 }, NO_ABORT)).map((passage) => passage.path)).toEqual(["a.md"]);
    corpus.close();
    // The next opening makes the index anew.
    expect(await readsOf(folder.path, cache.path)).toEqual(["a.md", "b.md", "bad.dat"]);
    expect(await found(folder.path, cache.path, "apple")).toEqual(["a.md"]);
  });
});

describe("a bit that flipped where SQLite sees none", () => {
  const everything = async (folder: string, cacheFolder: string | null) => {
    const corpus = await openAt(folder, cacheFolder);
    const passages = await corpus.search("a red apple or a green pear", { limit: 10 }, NO_ABORT);
    const titles = passages.map(({ path: name }) => corpus.titleOf(name));
    corpus.close();
    return { digest: corpus.digest, skipped: corpus.skipped, passages, titles };
  };
  const altered = {
    "the digest of a file": "UPDATE files SET digest = substr(digest, 1, 70) || 'f' WHERE path = 'a.md'",
    "the title of a file": "UPDATE files SET first_heading = 'Angle' WHERE path = 'a.md'",
    "why a file is left out": "UPDATE files SET skip_reason = 'scanned' WHERE path = 'bad.dat'",
    "the text of a passage": "UPDATE passages SET body = replace(body, 'red', 'rod')",
    "the place of a passage": "UPDATE passages SET start_byte = start_byte - 1",
    "where the passages of a file begin": "UPDATE extents SET first_passage = first_passage + 1",
    "how long passages are": "UPDATE extents SET lengths = x'00'",
    "where a word stands": "UPDATE postings SET passages = x'04' WHERE term = 'appl'",
  };

  for (const [name, statement] of Object.entries(altered)) {
    test(`${name}: found, and made anew`, async () => {
      using folder = new TemporaryFolder(FILES);
      using cache = new TemporaryFolder();
      const whole = await everything(folder.path, cache.path);
      settle(folder.path, cache.path);
      const database = new Database(databaseIn(cache.path));
      expect(database.run(statement).changes).toBeGreaterThan(0);
      database.close();
      expect(await everything(folder.path, cache.path)).toEqual(whole);
      expect(await everything(folder.path, cache.path)).toEqual(whole);
    });
  }
});

describe("without a cache", () => {
  test("a corpus opens even if the cache folder cannot be made", async () => {
    using folder = new TemporaryFolder(FILES);
    using cache = new TemporaryFolder({ file: "x" });
    expect(await found(folder.path, cache.at("file/below"), "apple")).toEqual(["a.md"]);
    expect(await found(folder.path, "/proc/none", "apple")).toEqual(["a.md"]);
    expect(await found(folder.path, null, "apple")).toEqual(["a.md"]);
  });
});

test("the lock of a killed process is taken over", async () => {
  using folder = new TemporaryFolder(FILES);
  using cache = new TemporaryFolder();
  await readsOf(folder.path, cache.path);
  const database = databaseIn(cache.path);
  const script = path.join(import.meta.dir, "hold-lock.ts");
  const holder = Bun.spawn([process.execPath, script, database], { stdout: "pipe" });
  const said = await holder.stdout.getReader().read();
  expect(new TextDecoder().decode(said.value)).toBe("held\n");
  // Control: while the holder lives, the lock stays.
  await readsOf(folder.path, cache.path);
  expect(fs.existsSync(`${database}.lock`)).toBe(true);
  holder.kill("SIGKILL");
  await holder.exited;
  await readsOf(folder.path, cache.path);
  expect(fs.readdirSync(cache.path).filter((name) => name.includes(".lock"))).toEqual([]);
}, 600_000);

test("a process that waits for another one tells so, and the longest wait", async () => {
  using folder = new TemporaryFolder(FILES);
  using cache = new TemporaryFolder();
  await readsOf(folder.path, cache.path);
  folder.write("c.md", "# Plum");
  await using _held = await tryLockIndex(databaseIn(cache.path));
  const events: IndexProgress[] = [];
  const onProgress = (event: IndexProgress): void => void events.push(event);
  const options = { name: "docs", path: folder.path, cacheFolder: cache.path, signal: NO_ABORT, onProgress };
  (await openCorpus(options)).close();
  expect(events[0]).toEqual({ kind: "waiting", most_ms: 5_000 });
  expect(events.filter(({ kind }) => kind === "waiting")).toHaveLength(1);
}, 600_000);

test("12 processes that open one corpus at once find the same", async () => {
  using folder = new TemporaryFolder();
  using cache = new TemporaryFolder();
  for (let number = 0; number < 200; number++)
    folder.write(`${number}.md`, `# Doc ${number}\n\nThe apple of ${number}.`);
  const script = path.join(import.meta.dir, "open-corpus.ts");
  const processes = Array.from({ length: 12 }, () =>
    Bun.spawn([process.execPath, script, folder.path, cache.path, "apple 7"], { stdout: "pipe", stderr: "pipe" }),
  );
  const outputs = await Promise.all(processes.map((one) => new Response(one.stdout).text()));
  expect(await Promise.all(processes.map((one) => one.exited))).toEqual(processes.map(() => 0));
  expect(new Set(outputs).size).toBe(1);
  expect(outputs[0]).toContain("200 7.md");
  settle(folder.path, cache.path);
  expect(await readsOf(folder.path, cache.path)).toEqual([]);
}, 600_000);

test("timers run while an index is made", async () => {
  using folder = new TemporaryFolder();
  for (let number = 0; number < 30; number++) folder.write(`${number}.md`, "# H\n\nsome words here\n\n".repeat(2_000));
  let beats = 0;
  const timer = setInterval(() => beats++, 5);
  const corpus = await openAt(folder.path);
  clearInterval(timer);
  expect(corpus.documents).toBe(30);
  expect(beats).toBeGreaterThan(10);
});
