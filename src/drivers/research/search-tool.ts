// The tool `search` gives a model passages to read, each with a name that the other tools take.
import { MAX_PASSAGE_LENGTH } from "../../corpus/blocks/entries.ts";
import { withoutTwins } from "../../corpus/search/twins.ts";
import { digestOfJson, hexOf } from "../../kernel/digest.ts";
import { given } from "../../kernel/given.ts";
import { z } from "../../kernel/zod.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools, Tool } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import { openRanker } from "../ranking/ranker.ts";
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
    description: `Searches the documents by words. Gives the best passages, each under a name ("d3", or "d3.2" for another passage of d3) that open, find and quote take, and says how many more there are. Several searches in one reply are welcome; what an earlier one of them showed is only named again. At most ${requestsAllowed(limits)} searches and openings in all.`,
    schema: z.object({
      query: z.string().min(1).max(400).describe("a few distinctive words"),
      more: z.boolean().optional().describe("true for the passages that the same query left out"),
    }),
    isSafe: async () => (await tools.isRepeatable?.()) ?? true,
    async run({ query, more = false }, state) {
      const wanted = limits.results_per_query + Math.floor(limits.results_per_query * SPARE_SHARE);
      const passages = await unlessUnreached(state, () => tools.search(query, wanted));
      if (!Array.isArray(passages)) return passages;
      const fitting = Math.max(1, Math.floor(tools.resultLength / (LEAST_PASSAGE_LENGTH + PASSAGE_FRAME_LENGTH)));
      const all = withoutTwins(passages).slice(0, limits.results_per_query);
      const { ordered, first, unranked } = await inOrder(all, query, tools);
      const shown = (more ? ordered.slice(first) : ordered.slice(0, first)).slice(0, fitting);
      const found = named(shown, [...state.passages().values()]);
      const left = more ? 0 : ordered.length - shown.length;
      const content = { found: shownPassages(shown, found, tools.resultLength, shownInReply(reading)) };
      return answered({ ...content, ...(left === 0 ? {} : { more: left }) }, { query, found, ...given({ unranked }) });
    },
  });
}

/** The passages that a search shows by itself. */
const MOST_AT_FIRST = 6;
const LEAST_AT_FIRST = 3;
/** A passage that scores less than this share of the one before it falls off, and so do those behind it. */
const FALLS_OFF = 0.5;

interface Ordered {
  ordered: readonly Passage[];
  /** How many are shown at first. */
  first: number;
  /** Why the endpoint of the run did not rank them. */
  unranked?: string | undefined;
}

/** The order of the endpoint that ranks, where the run has one. Its scores are no measure for a fall. */
async function inOrder(passages: readonly Passage[], query: string, tools: TaskTools): Promise<Ordered> {
  const ranker = passages.length > 1 ? await openRanker(tools) : null;
  if (ranker === null || "kind" in ranker) return { ordered: passages, first: beforeFall(passages) };
  const shown = passages.map(({ title, columns = "", origin, text }) => ({
    title: `${title}\n${columns}`.trim(),
    origin,
    sentences: [text],
  }));
  const name = `rank-${hexOf(digestOfJson({ query, shown })).slice(0, 16)}`;
  const ranked = await ranker.rank(name, query, shown);
  if (ranked.kind === "unranked") return { ordered: passages, first: beforeFall(passages), unranked: ranked.why };
  return { ordered: ranked.order.flatMap((at) => passages[at] ?? []), first: MOST_AT_FIRST };
}

function beforeFall(passages: readonly Passage[]): number {
  const fall = passages.findIndex(
    ({ score }, at) => at >= LEAST_AT_FIRST && score < FALLS_OFF * (passages[at - 1]?.score ?? 0),
  );
  return fall < 0 ? MOST_AT_FIRST : Math.min(MOST_AT_FIRST, fall);
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
