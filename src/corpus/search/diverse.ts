// Orders found passages by rank and difference, and puts near copies together.
import { Pacer } from "../../kernel/pacer.ts";
import { termsOf } from "../words/terms.ts";

/** A text is a near copy if an earlier one holds this share of its distinct terms. */
const COPY = 0.85;
/** The weight of likeness against that of rank. Source: Carbonell and Goldstein, maximal marginal relevance, 1998. */
const LIKENESS_COST = 0.5;

interface Weighed<T> {
  /** The item, and behind it its near copies. */
  group: T[];
  terms: ReadonlySet<string>;
  /** 0 to 1; 1 for the first item. */
  relevance: number;
  /** 0 to 1, to the nearest chosen item. */
  likeness: number;
}

/** Groups of an item and its near copies. The first item stays first; of the others, those that differ most come earlier. */
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

/** True for the same text from two files, or a piece of it. A text with another number is no copy. */
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
