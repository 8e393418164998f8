// The figures that `bun run bench answers` holds over the hold-out.
import type { Figure } from "../bench.ts";
import { askAll, type Asked, type How } from "./ask.ts";
import type { Collection } from "./collection.ts";
import { COLLECTIONS } from "./collections.ts";
import { measuresOf } from "./measures.ts";
import { documentsOf } from "./packages.ts";

/** The first passage of `search` is never withheld: it answers, or it is the nearest. */
const LEAST_RATIO = 0.95;
const LEAST_AUC = 0.7;

/** Errors: `Unfetched`. */
export async function answers(): Promise<Figure[]> {
  const { answerable, unanswerable, rightOrNearest, firstOfSearch, auc } = measuresOf(await askedOf(COLLECTIONS));
  return [
    {
      name: `a right sentence in the answer or a nearest passage, of ${answerable} questions`,
      value: `${rightOrNearest.toFixed(2)}, in the first passage of search ${firstOfSearch.toFixed(2)}`,
      target: `at least ${LEAST_RATIO} of search`,
      holds: rightOrNearest >= LEAST_RATIO * firstOfSearch,
    },
    {
      name: `AUC of coverage, against ${unanswerable} questions without an answer`,
      value: auc.toFixed(2),
      target: `at least ${LEAST_AUC.toFixed(2)}`,
      holds: auc >= LEAST_AUC,
    },
  ];
}

/** All documents are fetched before the first question is asked. Errors: `Unfetched`. */
export async function askedOf(collections: readonly Collection[], how: How = {}): Promise<Asked[]> {
  const fetched = collections.map((collection) => ({ collection, folder: documentsOf(collection) }));
  const asked: Asked[] = [];
  for (const { collection, folder } of fetched) asked.push(...(await askAll(collection, folder, how)));
  return asked;
}
