// Finds candidates for a part of the question and has a ranker put them in order, with a second search where these do not answer.
import { diverse } from "../../corpus/search/diverse.ts";
import { withoutTwins } from "../../corpus/search/twins.ts";
import { wordsOf } from "../../corpus/words/terms.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { QuestionPart } from "../../run/report/research.ts";
import { MOST_SHOWN, type Ranked, type Ranker } from "../ranking/ranker.ts";
import type { Shown } from "../ranking/shown.ts";
import { isBoilerplate } from "./boilerplate.ts";
import { headingOf } from "./coverage.ts";
import type { Candidate } from "./excerpts.ts";
import { PartWords } from "./part-words.ts";
import { queryOf } from "./question.ts";
import type { Span } from "../../kernel/sentences.ts";
import { sentencesOfPassage } from "./sentences.ts";

/** The first passages of the search as it is; up to `MOST_SHOWN` more of each document follow. */
const FIRST = 20;
const PER_DOCUMENT = 12;

/** A passage with its near copies, as the ranker reads it. */
interface Item {
  copies: readonly Passage[];
  sentences: readonly Span[];
  shown: Shown;
}

interface Round {
  items: readonly Item[];
  ranked: Ranked;
}

/** Groups of near copies in the order of the ranker; or a note that says why it gave none. */
export async function rankedCandidates(
  part: QuestionPart,
  ranker: Ranker,
  tools: TaskTools,
): Promise<Candidate[][] | string> {
  const query = queryOf(part);
  tools.say(`searching: ${query}`);
  const [items, name] = [await itemsFor(part, query, tools), `rank-${part.id}`];
  const [first] = items;
  if (first === undefined) return [];
  tools.say(`ranking: ${query}`);
  const ranked = await ranker.rank(name, query, shownOf(items));
  if (ranked.kind === "unranked") return ranked.why;
  const { items: best, ranked: last } = await betterRound(part, ranker, tools, { items, ranked });
  const order = last.order.flatMap((at) => best[at] ?? []);
  // Of what does not answer, the nearest one is shown.
  const taken = last.answers === "no" ? [order[0] ?? first] : order;
  const sought = new PartWords(part);
  return taken.map(({ copies, sentences }, at) =>
    copies.map((passage, copy) => ({
      part,
      sought,
      passage,
      query,
      isBehind: false,
      ranked: {
        place: at + 1,
        answers: last.answers ?? undefined,
        marks: copy > 0 ? [] : marksOf(last, best, { copies, sentences }),
      },
    })),
  );
}

function marksOf(
  { marks }: Ranked,
  items: readonly Item[],
  { copies, sentences }: Pick<Item, "copies" | "sentences">,
): Span[] {
  const at = items.findIndex((item) => item.copies === copies);
  return marks.flatMap((mark) => (mark.passage === at ? (sentences[mark.sentence] ?? []) : []));
}

/**
 * Where the passages do not answer, one more search with the words of the ranker, and one more call over what it found before and
 * what is new. The words go to a local index alone. The round with the better answer counts, of equals the later one.
 */
async function betterRound(part: QuestionPart, ranker: Ranker, tools: TaskTools, before: Round): Promise<Round> {
  const { items, ranked } = before;
  const { answers, lookFor } = ranked;
  if (answers === null || answers === "yes" || lookFor === "" || !isIndexed(part)) return before;
  tools.say("searching once more");
  const known = new Set(items.flatMap(({ copies }) => copies.map(placeOf)));
  const found = await tools.search(lookFor, MOST_SHOWN);
  const more = await itemsOf(
    found.filter((passage) => !known.has(placeOf(passage))),
    part,
    tools,
  );
  if (more.length === 0) return before;
  const both = [...ranked.order.flatMap((at) => items[at] ?? []), ...more].slice(0, MOST_SHOWN);
  const again = await ranker.rank(`rank-${part.id}-again`, queryOf(part), shownOf(both));
  if (again.kind === "unranked" || WORTH[again.answers ?? "no"] < WORTH[answers]) return before;
  return { items: both, ranked: again };
}

const WORTH = { no: 0, partly: 1, yes: 2 };

/** Only an index counts words. */
function isIndexed({ weights }: QuestionPart): boolean {
  return weights !== undefined;
}

async function itemsFor(part: QuestionPart, query: string, tools: TaskTools): Promise<Item[]> {
  const first = await tools.search(query, isIndexed(part) ? FIRST : MOST_SHOWN);
  const deep = isIndexed(part) ? await tools.search(query, MOST_SHOWN, PER_DOCUMENT) : [];
  const known = new Set(first.map(placeOf));
  return await itemsOf([...first, ...deep.filter((passage) => !known.has(placeOf(passage)))], part, tools);
}

/** Near copies count once. What says nothing is left out; boilerplate, where anything else was found. */
async function itemsOf(passages: readonly Passage[], part: QuestionPart, tools: TaskTools): Promise<Item[]> {
  const words = new Set(wordsOf(part.text));
  const content = passages.filter((passage) => !isBoilerplate(passage, words));
  const kept = withoutTwins(content.length > 0 ? content : passages);
  const groups = await diverse(kept, ({ text }) => text, tools.signal);
  const placed = groups.map((copies) => ({ copies, at: copies[0] === undefined ? 0 : kept.indexOf(copies[0]) }));
  return placed
    .toSorted((left, right) => left.at - right.at)
    .flatMap(({ copies }) => {
      const [passage] = copies;
      const sentences = passage === undefined ? [] : sentencesOfPassage(passage);
      return passage === undefined || sentences.length === 0 ? [] : [itemOf(passage, copies, sentences)];
    })
    .slice(0, MOST_SHOWN);
}

function itemOf(passage: Passage, copies: readonly Passage[], sentences: readonly Span[]): Item {
  const texts = sentences.map(({ start, end }) => passage.text.slice(start, end));
  return { copies, sentences, shown: { title: headingOf(passage), origin: passage.origin, sentences: texts } };
}

function shownOf(items: readonly Item[]): Shown[] {
  return items.map(({ shown }) => shown);
}

function placeOf({ origin, document_digest, start }: Passage): string {
  return `${origin} ${document_digest} ${start}`;
}
