// The tool `search` gives a model passages to read, each with a name that the other tools take.
import { MAX_PASSAGE_LENGTH } from "../../corpus/blocks/entries.ts";
import { withoutTwins } from "../../corpus/search/twins.ts";
import { z } from "../../kernel/zod.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Tool } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import { answered, requestsAllowed, requestTool, unlessUnreached, type Reading } from "./reading.ts";
import { nextDocument, ResearchState, type FoundPassage } from "./research-state.ts";

/** Characters for the name and title of a passage. */
const PASSAGE_FRAME_LENGTH = 200;
/** Where there is no room for all passages at this length, there are fewer. */
const LEAST_PASSAGE_LENGTH = 300;
/** Passages wanted beyond the limit, since twins are left out. */
const SPARE_SHARE = 0.5;

export function searchTool(reading: Reading): Tool {
  const { tools, limits } = reading;
  return requestTool(reading, {
    name: "search",
    description: `Searches the documents by words. Gives passages, each under a name ("d3", or "d3.2" for another passage of d3) that open, find and quote take. Several searches in one reply are welcome; what an earlier one of them showed is only named again. At most ${requestsAllowed(limits)} searches and openings in all.`,
    schema: z.object({ query: z.string().min(1).max(400).describe("a few distinctive words") }),
    isSafe: async () => (await tools.isRepeatable?.()) ?? true,
    async run({ query }, state) {
      const wanted = limits.results_per_query + Math.floor(limits.results_per_query * SPARE_SHARE);
      const passages = await unlessUnreached(state, () => tools.search(query, wanted));
      if (!Array.isArray(passages)) return passages;
      const fitting = Math.max(1, Math.floor(tools.resultLength / (LEAST_PASSAGE_LENGTH + PASSAGE_FRAME_LENGTH)));
      const shown = withoutTwins(passages).slice(0, Math.min(limits.results_per_query, fitting));
      const found = named(shown, [...state.passages().values()]);
      const above = shownInReply(reading);
      return answered({ found: shownPassages(shown, found, tools.resultLength, above) }, { query, found });
    },
  });
}

/** The names of passages that other searches of the same reply have shown. They are still in the conversation. */
function shownInReply({ messages }: Reading): ReadonlySet<string> {
  const reply = messages().findLastIndex(({ role }) => role === "assistant");
  return new Set(new ResearchState(messages().slice(reply + 1)).passages().keys());
}

function shownPassages(
  passages: readonly Passage[],
  found: readonly FoundPassage[],
  resultLength: number,
  above: ReadonlySet<string>,
): unknown[] {
  const share = Math.floor(resultLength / Math.max(1, passages.length)) - PASSAGE_FRAME_LENGTH;
  const length = Math.max(LEAST_PASSAGE_LENGTH, Math.min(MAX_PASSAGE_LENGTH, share));
  const named = new Set<string>();
  return found.map(({ name, title, origin }, index) => {
    if (above.has(name)) return { document: name, shown_above: true };
    const isFirst = !named.has(origin);
    named.add(origin);
    const document_text = inWholeWords(passages[index]?.text ?? "", length);
    const { columns } = passages[index] ?? {};
    return {
      document: name,
      ...(isFirst ? { origin } : {}),
      title,
      columns,
      document_text,
    };
  });
}

const SENTENCE_END = /[.!?](?=\s)|[。！？]|\n(?=\s*\n)/gu;

/** Whole sentences where they fill half of it, else whole words: a model quotes what it is shown. */
function inWholeWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = shortened(text, length);
  const end = [...cut.matchAll(SENTENCE_END)].at(-1)?.index ?? 0;
  return end >= length / 2 ? cut.slice(0, end + 1) : cut.replace(/\s+\S*$/u, "");
}

/** Names the passages. One that was found before keeps its name, and the first of a document has the name of the document. */
function named(passages: readonly Passage[], known: readonly FoundPassage[]): FoundPassage[] {
  const all = [...known];
  return passages.map(({ origin, title, document_digest, start, end }) => {
    const ofDocument = all.filter((one) => one.origin === origin && one.document_digest === document_digest);
    const same = ofDocument.find((one) => one.start === start && one.end === end);
    if (same !== undefined) return same;
    const [first] = ofDocument;
    const name = first === undefined ? nextDocument(all) : `${first.name}.${ofDocument.length + 1}`;
    const passage = { name, origin, title, document_digest, start, end };
    all.push(passage);
    return passage;
  });
}
