// Keeps one document from filling all places of a search.

export const PASSAGES_PER_DOCUMENT = 4;

/**
 * The first `limit` items, with at most a few of each document. If that leaves places, the next items of any document take
 * them. The order stays.
 */
export function spread<T>(ranked: readonly T[], limit: number, documentOf: (item: T) => string): T[] {
  const taken = new Map<string, number>();
  const first = new Set<T>();
  for (const item of ranked) {
    const document = documentOf(item);
    const count = taken.get(document) ?? 0;
    if (first.size >= limit || count >= PASSAGES_PER_DOCUMENT) continue;
    taken.set(document, count + 1);
    first.add(item);
  }
  for (const item of ranked) {
    if (first.size >= limit) break;
    first.add(item);
  }
  return ranked.filter((item) => first.has(item));
}
