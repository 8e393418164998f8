// Picks document names and titles that show a planner the subject of a corpus.
import { shortened } from "../../kernel/shortened.ts";
import type { DocumentExample } from "../../ports/provider.ts";
import { formatOf } from "../formats/formats.ts";

const MAX_TITLES = 40;
const MAX_REPEATED = 10;
const MAX_LENGTH = 100;

/** The number of documents by ending, in the order of the paths. A name without an ending counts as "other". */
export function kindsOf(paths: Iterable<string>): Record<string, number> {
  const kinds = new Map<string, number>();
  for (const path of [...paths].toSorted()) {
    const kind = /[^/]\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? "other";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(kinds);
}

/**
 * The titles that several documents share, the most frequent first; then documents in equal distances from the others. If at
 * least half of the documents are prose, only these count, since style sheets and pictures do not show the subject.
 */
export function subjectTitles(all: readonly Required<DocumentExample>[]): DocumentExample[] {
  const prose = all.filter(({ origin }) => ["markdown", "plain"].includes(formatOf(origin)));
  const documents = prose.length * 2 >= all.length ? prose : all;
  const byTitle = Map.groupBy(documents, ({ title }) => title);
  const repeated = [...byTitle]
    .filter(([, same]) => same.length > 1)
    .toSorted(([, left], [, right]) => right.length - left.length);
  const first = repeated.slice(0, MAX_REPEATED).map(([title]): DocumentExample => ({ title }));
  const others = [...byTitle]
    .filter(([title]) => !first.some((one) => one.title === title))
    .flatMap(([, same]) => same.slice(0, 1));
  const room = Math.min(MAX_TITLES - first.length, others.length);
  const spread = Array.from({ length: room }, (_, index) => others[Math.floor((index * others.length) / room)] ?? []);
  return [...first, ...spread.flat()].map(({ title, ...place }) => ({ title: shortened(title, MAX_LENGTH), ...place }));
}
