// What a corpus is about, by the names and titles of its documents: for whoever plans a search in it.
import { shortened } from "../kernel/shortened.ts";

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

/** Those that several documents have, the most frequent first; then one from each stretch of the others. */
export function tellingTitles(titles: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).toSorted(([, left], [, right]) => right - left);
  const first = repeated.slice(0, MAX_REPEATED).map(([title]) => title);
  const others = [...counts.keys()].filter((title) => !first.includes(title));
  const room = Math.min(MAX_TITLES - first.length, others.length);
  const spread = Array.from({ length: room }, (_, index) => others[Math.floor((index * others.length) / room)] ?? "");
  return [...first, ...spread].map((title) => shortened(title, MAX_LENGTH));
}
