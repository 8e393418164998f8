// How much each candidate says that others say too: what several documents agree on is central.
import type { Pacer } from "../../corpus/pacer.ts";
import { likeness } from "./similarity.ts";

interface Compared {
  passage: { origin: string };
  terms: ReadonlySet<string>;
}

/** 0 to 1 for each; 1 for the one that agrees most with candidates of other documents. */
export async function agreementOf(candidates: readonly Compared[], pacer: Pacer): Promise<number[]> {
  const sums = candidates.map(() => 0);
  for (const [first, left] of candidates.entries()) {
    await pacer.pause();
    for (let second = first + 1; second < candidates.length; second++) {
      const right = candidates[second];
      if (right === undefined || left.passage.origin === right.passage.origin) continue;
      const shared = likeness(left.terms, right.terms);
      sums[first] = (sums[first] ?? 0) + shared;
      sums[second] = (sums[second] ?? 0) + shared;
    }
  }
  const most = Math.max(...sums, Number.EPSILON);
  return sums.map((sum) => sum / most);
}
