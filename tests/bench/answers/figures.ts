// The bars of the hold-out, for `bun run bench answers`.
import type { Figure } from "../bench.ts";
import { askAll, type Asked } from "./ask.ts";
import type { Collection } from "./collection.ts";
import { COLLECTIONS } from "./collections.ts";
import { measuresOf } from "./measures.ts";
import { documentsOf } from "./packages.ts";

const LEAST_RIGHT = 0.85;
const LEAST_F1 = 0.5;
const LEAST_AUC = 0.8;

/** Errors: `Unfetched`. */
export async function answers(): Promise<Figure[]> {
  const { answerable, unanswerable, right, f1, auc } = measuresOf(await askedOf(COLLECTIONS));
  const figures: [string, number, number][] = [
    ["a right sentence in the answer", right, LEAST_RIGHT],
    ["F1 of the marked sentences", f1, LEAST_F1],
    ["AUC of coverage", auc, LEAST_AUC],
  ];
  return figures.map(([name, value, least]) => ({
    name: `${name}, ${answerable} questions with an answer and ${unanswerable} without`,
    value: value.toFixed(2),
    target: `at least ${least.toFixed(2)}`,
    holds: value >= least,
  }));
}

/** All documents are fetched before the first question is asked. Errors: `Unfetched`. */
export async function askedOf(collections: readonly Collection[]): Promise<Asked[]> {
  const fetched = collections.map((collection) => ({ collection, folder: documentsOf(collection) }));
  const asked: Asked[] = [];
  for (const { collection, folder } of fetched) asked.push(...(await askAll(collection, folder)));
  return asked;
}
