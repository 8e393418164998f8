// The index is kept in memory when the disk of the cache fails at any moment, and searches find the same.
import { Database } from "bun:sqlite";
import { afterEach, expect, mock, spyOn, test } from "bun:test";
import fs from "node:fs";
import { openCorpus } from "../../src/corpus/corpus.ts";
import { NO_ABORT, TemporaryFolder } from "./temporary-folder.ts";

const FILES = {
  "a.md": "# Apple\n\nAn apple is red.",
  "b.md": "# Pear\n\nA pear is green.",
  "c.md": "# Fig\n\nA fig is sweet.",
};
const CALLS = ["mkdirSync", "statSync", "writeFileSync", "readFileSync", "renameSync", "rmdirSync", "rmSync"] as const;
const QUERIES = ["run", "query", "prepare", "transaction"] as const;

afterEach(() => mock.restore());

/** Fails each call below the folder from call `at` on. Returns a function that gives their number. */
function failFrom(at: number, folder: string, errno: string): () => number {
  let count = 0;
  const strike = (error: () => unknown): void => {
    if (++count >= at) throw error();
  };
  for (const name of CALLS) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    spyOn(fs, name).mockImplementation((...args: unknown[]): never => {
      if (String(args[0]).startsWith(folder)) strike(() => Object.assign(new Error(errno), { code: errno }));
      return original.apply(fs, args) as never;
    });
  }
  for (const name of QUERIES) {
    const original = Database.prototype[name] as (...args: unknown[]) => unknown;
    spyOn(Database.prototype, name).mockImplementation(function (this: Database, ...args: unknown[]): never {
      if (this.filename.startsWith(folder)) strike(failedQuery);
      return original.apply(this, args) as never;
    });
  }
  return () => count;
}

/** An error of SQLite that is no damage. Only SQLite itself can make one. */
function failedQuery(): unknown {
  try {
    return new Database("/dev/null/index.sqlite", { create: true });
  } catch (error) {
    return error;
  }
}

/** Opens, searches and reads a corpus while the disk fails from call `at` on. */
async function work(at: number, errno: string): Promise<{ found: string; calls: number }> {
  using folder = new TemporaryFolder(FILES);
  using cache = new TemporaryFolder();
  const calls = failFrom(at, cache.path, errno);
  try {
    const corpus = await openCorpus({ name: "docs", path: folder.path, cacheFolder: cache.path, signal: NO_ABORT });
    const passages = [];
    for (const query of ["apple", "pear", "fig"])
      passages.push(...(await corpus.search(query, { limit: 5 }, NO_ABORT)));
    const texts = [];
    for (const { path, digest } of passages) {
      const read = await corpus.read(path, digest, NO_ABORT);
      texts.push(read.kind === "document" ? Buffer.from(read.document.text).toString() : read.kind);
    }
    corpus.close();
    return { found: JSON.stringify([passages.map(({ path }) => path), texts]), calls: calls() };
  } finally {
    mock.restore();
  }
}

for (const errno of ["EIO", "ENOSPC", "EROFS"]) {
  test(`${errno} for ever, from any call on`, async () => {
    const whole = await work(Number.POSITIVE_INFINITY, errno);
    expect(whole.calls).toBeGreaterThan(30);
    for (let at = 1; at <= whole.calls; at++) {
      const found = await work(at, errno).then((ended) => ended.found, String);
      expect([at, found]).toEqual([at, whole.found]);
    }
  });
}
