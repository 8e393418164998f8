// Measures the coverage of an excerpt, by which the driver answers: how much of a question it holds, and in which sentences.
import type { Passage } from "../../ports/provider.ts";
import type { FindingQuote } from "../../run/report/research.ts";
import type { PartWords, Shares } from "./part-words.ts";
import { sentencesOf } from "../../kernel/sentences.ts";

/** From this coverage on a part of the question is answered. docs/local-driver.md has what was measured. */
export const ANSWERS_FROM = 0.47;
/** A second sentence is marked when both together hold this much more of the question than the best one. */
const ADDS = 0.2;
const DECIMALS = 4;

export interface Judged {
  /** How much of the question the excerpt holds, 0 to 1. */
  coverage: number;
  /** The indices of the sentences to mark: the best two neighbours, or the best one when the pair adds little to it. */
  best: number[];
}

/**
 * (3 run + next) / 4: `run` is the most that two neighbouring sentences hold, `next` the mean of what the second and the third
 * best sentence hold, as far as there are so many; `run` alone of a single sentence. What is above counts for each.
 */
export function judge(sought: PartWords, sentences: readonly string[], headed: Headed): Judged {
  const above = sought.sharesIn(headingOf(headed));
  const own = sentences.map((sentence) => either(sought.sharesIn(sentence), above));
  const singles = own.map((shares) => sought.weigh(shares));
  const pairs = own.map((shares, index) => sought.weigh(either(shares, own[index + 1] ?? [])));
  const run = Math.max(0, ...pairs);
  const [, ...others] = singles.toSorted((left, right) => right - left).slice(0, 3);
  const next = others.length === 0 ? run : others.reduce((sum, one) => sum + one, 0) / others.length;
  return {
    coverage: Number(((3 * run + next) / 4).toFixed(DECIMALS)),
    best: bestOf(singles, pairs, (at) => sought.defines(sentences[at] ?? "")),
  };
}

/** The coverage of a passage as the search gave it, before its document is read. */
export function coverageOfPassage(passage: Headed & Pick<Passage, "text">, sought: PartWords): number {
  const { text } = passage;
  const sentences = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
  return judge(sought, sentences, passage).coverage;
}

type Headed = Pick<Passage, "title" | "columns">;

/** The text above a passage: its title, and for rows of a table the names of the columns. */
export function headingOf({ title, columns = "" }: Headed): string {
  return `${title}\n${columns}`;
}

/** Runs of 0.1.0 counted coverage in another way and stored it alone; theirs answers from here on. */
const ANSWERED_FROM_IN_0_1 = 0.4;

/** Whether a quote answers the parts that it was recorded for. One without a number was recorded by a researcher who read it. */
export function doesAnswer({ answers, coverage = 1 }: Counted): boolean {
  return answers ?? coverage >= ANSWERED_FROM_IN_0_1;
}

interface Counted {
  answers?: boolean | undefined;
  coverage?: number | undefined;
  ranked?: FindingQuote["ranked"];
}

/** The coverage of a quote, as the page shows it. */
export function countedOf({ coverage = ANSWERS_FROM, ranked }: Counted): number {
  return ranked?.answers === undefined ? coverage : JUDGED[ranked.answers];
}

/** What a model judged, as coverage. */
const JUDGED = { no: 0, partly: 0.5, yes: 1 };

/** The first that answers alone, or else the first of all. Where a ranker gave the order and no verdict, its first one. */
export function leadOf<T extends Counted>(found: readonly T[]): T | undefined {
  const [first] = found;
  if (first?.ranked !== undefined && first.ranked.answers === undefined) return first;
  return found.find(doesAnswer) ?? first;
}

/** Of sentences that hold as much, the entry of a word that is sought comes first. */
function bestOf(singles: readonly number[], pairs: readonly number[], defines: (at: number) => boolean): number[] {
  const best = Math.max(...singles);
  const entry = singles.findIndex((single, at) => single === best && defines(at));
  const first = entry < 0 ? singles.indexOf(best) : entry;
  if (first < 0) return [];
  const run = Math.max(...pairs);
  const pairAt = pairs.indexOf(run);
  return run >= best + ADDS ? [pairAt, pairAt + 1] : [first];
}

function either(left: Shares, right: Shares): Shares {
  return left.map((share, place) => Math.max(share, right[place] ?? 0));
}
