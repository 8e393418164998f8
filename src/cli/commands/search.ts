// deep-research search
import { RunError } from "../../kernel/errors.ts";
import { searchCorpus } from "../../operations/search-corpus.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE } from "../exits.ts";
import { integer, list } from "../options/options.ts";
import { searchText } from "../text/search-text.ts";

const LIMIT = 10;
const PER_DOCUMENT = 1;

export const command = defineCommand({
  name: "search",
  purpose: "print what the local index finds in folders and files, the best first",
  operands: { usage: "<query>", least: 1, most: 1 },
  options: {
    corpus: list("PATH", "folders to search, each with everything below it, or single files"),
    limit: integer("N", `passages at most (default: ${LIMIT})`, { least: 1, most: 100 }),
    perDocument: integer("N", `passages of one document at most (default: ${PER_DOCUMENT})`, { least: 1, most: 20 }),
  },
  examples: [
    ['search "how are options parsed" --corpus ./docs', "the ten documents that fit best, each with its best passage"],
    ['search "stale lock" --corpus ./docs ./notes --per-document 3 --json', "more of each document, for programs"],
  ],
  notes: [
    "The index is the one that runs use: the first search of a folder reads all of it, later ones only what changed.",
    "Any of the words is enough; rare words, words in headings and words that stand together count for more.",
    "Passages that say nearly the same are shown once.",
  ],
  exits: [[0, "searched, whether anything was found or not"], BAD_USAGE],
  async run(context, { corpus, limit = LIMIT, perDocument = PER_DOCUMENT }, [query]) {
    if (query === undefined) throw new RunError("INVALID_ARGS", { reason: "no query was given" });
    const corpora = corpus.map((folder) => context.absolute(folder));
    const outcome = await searchCorpus(context.ports, { query, corpora, limit, perDocument }, await context.observe());
    return { outcome, text: (style) => searchText(outcome.result, query, context.host.columns("stdout"), style) };
  },
});
