// Tells a planner the subject of a corpus, by the names and titles of its documents.
import { shortened } from "../kernel/shortened.ts";
import type { DocumentExample } from "../ports/provider.ts";
import { formatOf } from "./formats.ts";

const MAX_TITLES = 40;
const MAX_REPEATED = 10;
const MAX_LENGTH = 100;

/** In the order of the names; a name without an ending counts as "other". */
export function kindsOf(paths: Iterable<string>): Record<string, number> {
  const kinds = new Map<string, number>();
  for (const path of [...paths].toSorted()) {
    const kind = /[^/]\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? "other";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(kinds);
}

/**
 * Titles that several documents have, the most frequent first; then one document from each stretch of the others. Where
 * prose is at least half of them, it alone tells the subject: style sheets and pictures of a manual do not.
 */
export function tellingTitles(all: readonly Required<DocumentExample>[]): DocumentExample[] {
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
