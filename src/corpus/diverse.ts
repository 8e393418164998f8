// Chooses the passages that are shown: in the order of the search, without near copies, different ones first.
import { Pacer } from "./pacer.ts";
import { termsOf } from "./terms.ts";

/** A text is a near copy when an earlier one holds this share of its distinct terms. */
const COPY = 0.85;
/** Maximal marginal relevance, Carbonell and Goldstein 1998: what counts as much as the rank of the search. */
const LIKENESS_COST = 0.5;

interface Weighed<T> {
  /** The item, and behind it its near copies. */
  group: T[];
  terms: ReadonlySet<string>;
  /** 0 to 1: 1 for what the search ranks best. */
  relevance: number;
  /** To the nearest of those that were chosen. */
  likeness: number;
}

/** Each item with its near copies. The first stays first, and of the others those that differ most come earlier. */
export async function diverse<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  signal: AbortSignal,
): Promise<T[][]> {
  const pacer = new Pacer(signal);
  let open: Weighed<T>[] = [];
  for (const [rank, item] of items.entries()) {
    await pacer.pause();
    const terms = new Set(termsOf(textOf(item)));
    const first = open.find((other) => isCopy(terms, other.terms));
    if (first !== undefined) first.group.push(item);
    else open.push({ group: [item], terms, relevance: 1 - rank / items.length, likeness: 0 });
  }
  const chosen: T[][] = [];
  while (open.length > 0) {
    await pacer.pause();
    const best = open.reduce((left, right) => (marginal(right) > marginal(left) ? right : left));
    chosen.push(best.group);
    open = open.filter((other) => other !== best);
    for (const other of open) other.likeness = Math.max(other.likeness, likeness(other.terms, best.terms));
  }
  return chosen;
}

function marginal<T>({ relevance, likeness: near }: Weighed<T>): number {
  return (1 - LIKENESS_COST) * relevance - LIKENESS_COST * near;
}

/** The same text from two files, or a piece of it; what gives another number is no copy. */
function isCopy(later: ReadonlySet<string>, earlier: ReadonlySet<string>): boolean {
  const own = [...later].filter((term) => !earlier.has(term));
  return own.length <= (1 - COPY) * later.size && !own.some((term) => /^\p{N}/u.test(term));
}

function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [shorter, longer] = left.size <= right.size ? [left, right] : [right, left];
  let shared = 0;
  for (const term of shorter) if (longer.has(term)) shared++;
  return shorter.size === 0 ? 0 : shared / shorter.size;
}
