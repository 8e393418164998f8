// Opens a corpus and prints the first passage that it finds. Tests run it as a process of its own.
import { openCorpus } from "../../src/corpus/corpus.ts";

const [folder = "", cacheFolder = "", query = ""] = process.argv.slice(2);
const { signal } = new AbortController();
const corpus = await openCorpus({ name: "docs", path: folder, cacheFolder, signal });
const [best] = await corpus.search(query, { limit: 1 }, signal);
process.stdout.write(`${corpus.digest} ${corpus.documents} ${best?.path} ${best?.score}\n`);
corpus.close();
