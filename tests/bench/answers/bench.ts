// HOLD-OUT: how well the local driver answers over documents that others wrote. By hand, with a network:
//
//     bun tests/bench/answers/bench.ts [--check] [collection...]
//
// Write no rule by looking at this set, and print no answers of single questions: the note in collection.ts says why.
import { unansweredBy } from "./check.ts";
import type { Collection } from "./collection.ts";
import { COLLECTIONS } from "./collections.ts";
import { askedOf } from "./figures.ts";
import { documentsOf, Unfetched } from "./packages.ts";
import { tableOfCurve, tableOfMeasures } from "./tables.ts";

const given = process.argv.slice(2);
const names = given.filter((word) => word !== "--check");
const wanted = COLLECTIONS.filter(({ name }) => names.length === 0 || names.includes(name));

if (wanted.length === 0) throw new Error(`the collections are ${COLLECTIONS.map(({ name }) => name).join(", ")}`);
try {
  await (given.includes("--check") ? check(wanted) : measure(wanted));
} catch (error) {
  if (!(error instanceof Unfetched)) throw error;
  console.error(`not measured: ${error.message}`);
  process.exitCode = 1;
}

async function measure(collections: readonly Collection[]): Promise<void> {
  const asked = await askedOf(collections);
  console.log(`${tableOfMeasures(asked)}\n\n${tableOfCurve(asked)}`);
}

async function check(collections: readonly Collection[]): Promise<void> {
  for (const collection of collections) {
    const missing = await unansweredBy(collection, documentsOf(collection));
    const { length } = collection.answerable;
    console.log(`${collection.name}: ${length - missing.length} of ${length} have a right sentence`);
    for (const ask of missing) console.log(`  none: ${ask}`);
    if (missing.length > 0) process.exitCode = 1;
  }
}
