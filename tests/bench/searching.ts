// 60,000 passages: how long it takes to index and to ask them, beside SQLite's own full-text index.
import { Database } from "bun:sqlite";
import fs from "node:fs";
import path from "node:path";
import { z } from "../../src/kernel/zod.ts";
import type { Figure } from "./bench.ts";
import { benchFolder, median } from "./fixtures.ts";
import { PASSAGES, writeCorpus } from "./generated-corpus.ts";
import { PlainFts, type PlainPassage } from "./plain-fts.ts";

const answerSchema = z.strictObject({ openMs: z.number(), times: z.array(z.number()), maxRssKb: z.number() });

export async function searching(): Promise<Figure[]> {
  const folder = benchFolder();
  const documents = path.join(folder, "documents");
  const cache = path.join(folder, "cache");
  const queries = queriesOf(writeCorpus(documents));
  const built = await ask(documents, cache, queries.short);
  const again = await ask(documents, cache, queries.short);
  const long = await ask(documents, cache, queries.long);
  const plain = plainTimes(passagesIn(cache), path.join(folder, "plain.sqlite"), queries);
  fs.rmSync(folder, { recursive: true });
  const megabytes = Math.round(Math.max(built.maxRssKb, long.maxRssKb) / 1000);
  return [
    time(`index ${PASSAGES} passages`, built.openMs, plain.buildMs, 1.5),
    time("open the index again, nothing changed", again.openMs, plain.buildMs, 0.1),
    asked("ask 2 to 4 words", again.times, plain.short),
    asked("ask 12 to 20 words", long.times, plain.long),
    { name: "memory of the process", value: `${megabytes} MB`, target: "at most 400 MB", holds: megabytes <= 400 },
  ];
}

type Queries = Record<"short" | "long", string[]>;

function queriesOf({ common, rare }: { common: string[]; rare: string[] }): Queries {
  const words = (count: number, seed: number): string =>
    Array.from({ length: count }, (_, index) => {
      const from = index % 3 === 0 ? common : rare;
      return from[(seed * 17 + index * 31) % from.length];
    }).join(" ");
  return {
    short: Array.from({ length: 20 }, (_, seed) => words(2 + (seed % 3), seed)),
    long: Array.from({ length: 20 }, (_, seed) => words(12 + (seed % 9), seed)),
  };
}

async function ask(folder: string, cache: string, queries: string[]): Promise<z.infer<typeof answerSchema>> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/ask-corpus.ts`, folder, cache, ...queries]);
  return answerSchema.parse(JSON.parse(await child.stdout.text()));
}

function passagesIn(cache: string): PlainPassage[] {
  const name = fs.readdirSync(cache).find((entry) => entry.endsWith(".sqlite")) ?? "";
  const database = new Database(path.join(cache, name));
  const rows = database.query("SELECT id AS path, heading_path AS title, body FROM passages").all() as PlainPassage[];
  database.close();
  return rows;
}

function plainTimes(passages: PlainPassage[], file: string, queries: Queries) {
  const began = performance.now();
  const plain = new PlainFts(passages, { titleWeight: 3, file });
  const buildMs = performance.now() - began;
  const times = (list: string[]): number[] =>
    list.map((query) => {
      const start = performance.now();
      plain.find(query, 10);
      return performance.now() - start;
    });
  const result = { buildMs, short: times(queries.short), long: times(queries.long) };
  plain.close();
  return result;
}

function time(name: string, ms: number, plainMs: number, mostOfPlain: number): Figure {
  const ratio = ms / plainMs;
  return {
    name,
    value: `${Math.round(ms)} ms, building a plain FTS5 ${Math.round(plainMs)} ms, ratio ${ratio.toFixed(2)}`,
    target: `at most ${mostOfPlain}`,
    holds: ratio <= mostOfPlain,
  };
}

function asked(name: string, times: readonly number[], plain: readonly number[]): Figure {
  const [middle, late, theirs] = [median(times), quantile(times, 0.95), median(plain)];
  return {
    name,
    value: `${middle.toFixed(1)} ms, 95% within ${late.toFixed(1)} ms, plain FTS5 ${theirs.toFixed(1)} ms`,
    target: "at most 15 ms",
    holds: middle <= 15,
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
