// Opens a corpus, asks each query a few times and prints the times and the memory: run as a process of its own.
import { openCorpus } from "../../src/corpus/corpus.ts";

const [folder = "", cacheFolder = "", ...queries] = process.argv.slice(2);
const ROUNDS = 5;
const { signal } = new AbortController();
const began = performance.now();
const corpus = await openCorpus({ name: "docs", path: folder, cacheFolder, signal });
const openMs = performance.now() - began;
const times: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const query of queries) {
    const start = performance.now();
    await corpus.search(query, { limit: 10, perDocument: 1 }, signal);
    times.push(performance.now() - start);
  }
}
corpus.close();
process.stdout.write(JSON.stringify({ openMs, times, maxRssKb: process.resourceUsage().maxRSS }));
