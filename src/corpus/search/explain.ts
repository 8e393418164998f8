// Explains the place of a passage in a search: the words that it holds and lacks with their weights, and the parts of its score.
import type { PassageReason } from "../../ports/provider.ts";
import type { PassageTable } from "../index/passage-table.ts";
import type { PostingReader } from "../index/posting-reader.ts";
import { Occurrences, type Concept } from "./occurrences.ts";

const DECIMALS = 3;

/** How often a passage holds a word, with its forms by their share. */
interface Held {
  inText: number;
  inTitle: number;
}

/** One word of the query over all passages. */
export interface ExplainedWord {
  word: string;
  worth: number;
  held: ReadonlyMap<number, Held>;
}

/** `worth`: of each concept, in their order. */
export function explainedWords(
  concepts: readonly Concept[],
  worth: readonly number[],
  { table, reader, wordOf }: { table: PassageTable; reader: PostingReader; wordOf: (term: string) => string },
): ExplainedWord[] {
  const occurrences = new Occurrences(table, reader);
  return concepts.map((concept, at) => {
    occurrences.read(concept);
    const { places, inText, inTitle, count } = occurrences;
    const held = new Map(
      Array.from({ length: count }, (_, index) => [
        places[index] ?? 0,
        { inText: inText[index] ?? 0, inTitle: inTitle[index] ?? 0 },
      ]),
    );
    return { word: wordOf(concept.variants[0]?.term ?? ""), worth: worth[at] ?? 0, held };
  });
}

/** What a place scores apart from its words. `section`: where that counts otherwise than the index says. */
export type Rise = Pick<PassageReason["score"], "nearness" | "entry"> &
  Partial<Pick<PassageReason["score"], "section">>;

export function reasonFor(
  place: number,
  words: readonly ExplainedWord[],
  score: PassageReason["score"],
  folded: PassageReason["folded"],
): PassageReason {
  const entries = words.map(({ word, worth, held }) => ({ word, weight: rounded(worth), held: held.get(place) }));
  return {
    score: {
      words: rounded(score.words),
      section: rounded(score.section),
      nearness: rounded(score.nearness),
      entry: rounded(score.entry),
    },
    holds: entries.flatMap(({ word, weight, held }) =>
      held === undefined ? [] : [{ word, weight, in_text: rounded(held.inText), in_headings: rounded(held.inTitle) }],
    ),
    lacks: entries.flatMap(({ word, weight, held }) => (held === undefined ? [{ word, weight }] : [])),
    folded,
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
