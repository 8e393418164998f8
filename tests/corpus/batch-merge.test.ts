// Batches of postings are merged in bounded memory.
import type { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { mergeBatches } from "../../src/corpus/index/batch-merge.ts";
import { MEMORY, openIndexDatabase } from "../../src/corpus/index/index-database.ts";
import { Pacer } from "../../src/kernel/pacer.ts";
import { BatchWriter } from "../../src/corpus/index/posting-batch.ts";
import { PostingList, Postings } from "../../src/corpus/index/posting-list.ts";

const BATCHES = 12;

test("batches are merged term by term without a sort, so that memory does not grow with the index", async () => {
  using database = openIndexDatabase(MEMORY, "create");
  database.run("INSERT INTO extents VALUES (1, 1, zeroblob(2000), 0)");
  for (let number = 0; number < BATCHES; number++) {
    const batch = new BatchWriter(database);
    for (const term of ["both", `only${number}`, "é"]) {
      const list = new PostingList();
      list.add(number + 1, 1, 0);
      batch.insert(term, list);
    }
    batch.end();
  }
  const queries: string[] = [];
  const watched = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (typeof args[0] === "string") queries.push(args[0]);
        return Reflect.apply(value, target, args);
      };
    },
  });
  const pacer = new Pacer(new AbortController().signal);
  const pause = spyOn(pacer, "pause");
  await mergeBatches(watched, pacer);
  expect(pause.mock.calls.length).toBeGreaterThan(BATCHES);
  const ofPostings = queries.filter((sql) => sql.startsWith("SELECT") && sql.includes("FROM postings"));
  expect(ofPostings.length).toBeGreaterThan(0);
  for (const sql of ofPostings) expect(JSON.stringify(planOf(database, sql))).not.toContain("TEMP B-TREE");
  expect(database.query("SELECT count(*) AS count FROM batches").get()).toEqual({ count: 1 });
  expect(passagesOf(database, "both")).toEqual(Array.from({ length: BATCHES }, (_, number) => number + 1));
  expect(passagesOf(database, "only7")).toEqual([8]);
});

function planOf(database: Database, sql: string): unknown[] {
  const parameters = (sql.match(/\?/g) ?? []).map(() => 1);
  return database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
}

function passagesOf(database: Database, term: string): number[] {
  const row = database.query("SELECT passages FROM postings WHERE term = ?").get(term) as { passages: Uint8Array };
  const postings = new Postings();
  postings.read(row.passages);
  return [...postings.passages.subarray(0, postings.count)];
}
