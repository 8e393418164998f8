// Measures how well the search finds answers in FAQs of others, for questions of people. By hand, with a network:
//
//     bun tests/bench/faqs/bench.ts [--shown] [first|second|collection...]
//
// `--shown` also asks the local driver, which takes longer. Choose rules on the first half, and look at the second when a
// choice is made. Title weights cannot be chosen here: the titles of the answers are taken out.
import { documentsOf, Unfetched } from "../answers/packages.ts";
import { tableOf } from "../answers/tables.ts";
import { askFaqs, type AskedFaq } from "./ask.ts";
import { FAQ_COLLECTIONS, type FaqCollection } from "./collections.ts";

const HEAD = ["", "questions", "first passage", "first five", "MRR", "plain FTS5, first", "five", "shown up front"];

const given = process.argv.slice(2);
const names = given.filter((word) => word !== "--shown");
const wanted = FAQ_COLLECTIONS.filter(
  ({ name, half }) => names.length === 0 || names.includes(name) || names.includes(half),
);

try {
  console.log(tableOf(HEAD, await rowsOf(wanted, given.includes("--shown"))));
} catch (error) {
  if (!(error instanceof Unfetched)) throw error;
  console.error(`not measured: ${error.message}`);
  process.exitCode = 1;
}

async function rowsOf(collections: readonly FaqCollection[], isShown: boolean): Promise<string[][]> {
  const asked: { collection: FaqCollection; own: AskedFaq[] }[] = [];
  for (const collection of collections)
    asked.push({ collection, own: await askFaqs(collection, documentsOf(collection), isShown) });
  const halves = (["first", "second"] as const).map((half) => ({
    name: `${half} half`,
    own: asked.filter(({ collection }) => collection.half === half).flatMap(({ own }) => own),
  }));
  const each = asked.map(({ collection, own }) => ({ name: collection.name, own }));
  return [...halves, ...each].filter(({ own }) => own.length > 0).map(({ name, own }) => rowOf(name, own));
}

function rowOf(name: string, asked: readonly AskedFaq[]): string[] {
  const percent = (holds: (one: AskedFaq) => boolean): string =>
    `${((100 * asked.filter(holds).length) / asked.length).toFixed(1)} %`;
  const within = (place: number | null, most: number): boolean => place !== null && place <= most;
  return [
    name,
    String(asked.length),
    percent(({ place }) => within(place, 1)),
    percent(({ place }) => within(place, 5)),
    (asked.reduce((sum, { place }) => sum + (place === null ? 0 : 1 / place), 0) / asked.length).toFixed(3),
    percent(({ placeInPlain }) => within(placeInPlain, 1)),
    percent(({ placeInPlain }) => within(placeInPlain, 5)),
    asked.some(({ isShown }) => isShown !== null) ? percent(({ isShown }) => isShown === true) : "",
  ];
}
