// Gives each quote of a report a letter below its source, in the order of the text: the mark `2c` leads to the third quote of
// source 2.
import type { Draft } from "./report.ts";
import { quotingOf } from "./statements.ts";
import { spanKey } from "./source.ts";

type Sources = Draft["sources"];

/** The sources with their quotes, each span once. */
export function withLetters(draft: Pick<Draft, "blocks" | "statements" | "sources">): Sources {
  const spans = new Map(quotingOf(draft).flatMap(({ quotes }) => quotes.map((quote) => [spanKey(quote), quote])));
  const bySource = Map.groupBy(spans.values(), ({ source_digest }) => source_digest);
  return draft.sources.map((source) => {
    const own = (bySource.get(source.source_digest) ?? []).toSorted((a, b) => a.start - b.start || a.end - b.end);
    return { ...source, quotes: own.map(({ start, end }, at) => ({ letter: letterOf(at), start, end })) };
  });
}

/** a … z, aa, ab … by the number from 0. */
function letterOf(number: number): string {
  const last = String.fromCharCode("a".charCodeAt(0) + (number % LETTERS));
  return number < LETTERS ? last : `${letterOf(Math.floor(number / LETTERS) - 1)}${last}`;
}

const LETTERS = 26;
