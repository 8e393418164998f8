// Measures the coverage of an excerpt, by which the driver answers: how much of a question it holds, and in which sentences.
import type { Passage } from "../../ports/provider.ts";
import type { AskedWords, Shares } from "./asked-words.ts";
import { sentencesOf } from "./sentences.ts";

/** From this coverage on a part of the question is answered. docs/local-driver.md has what was measured. */
export const ANSWERS_FROM = 0.4;
/** A word that stands in the heading alone counts this much for the sentences below it. */
const HEADING_SHARE = 0.5;
/** A second sentence is marked when both together hold this much more of the question than the best one. */
const ADDS = 0.2;
const DECIMALS = 4;

/** How much of the question the sentences of an excerpt hold, 0 to 1. */
export interface Held {
  /** The most that two neighbouring sentences hold. */
  run: number;
  /** What each sentence holds. */
  singles: readonly number[];
}

export interface Judged extends Held {
  /** The indices of the sentences to mark: the pair of `run`, or the best one when the pair adds little to it. */
  best: number[];
  /** The words with a weight that neither a sentence nor the heading has. */
  lacks: string[];
}

export function judge(asked: AskedWords, sentences: readonly string[], heading: string): Judged {
  const above = asked.sharesIn(heading).map((share) => share * HEADING_SHARE);
  const own = sentences.map((sentence) => asked.sharesIn(sentence));
  const singles = own.map((shares) => asked.weigh(either(shares, above)));
  const pairs = own.map((shares, index) => asked.weigh(either(either(shares, own[index + 1] ?? []), above)));
  return {
    run: Math.max(0, ...pairs),
    singles,
    best: bestOf(singles, pairs),
    lacks: asked.lackedBy(own.reduce<Shares>(either, above)),
  };
}

/** (2 run + next) / 3 over all excerpts, where `next` is the mean of what the second and third best sentence hold. */
export function coverageOf(held: readonly Held[]): number {
  const [, second = 0, third = 0] = held.flatMap(({ singles }) => singles).toSorted((left, right) => right - left);
  const run = Math.max(0, ...held.map((one) => one.run));
  return Number(((2 * run + (second + third) / 2) / 3).toFixed(DECIMALS));
}

/** The coverage of a passage as the search gave it, before its document is read. */
export function coverageOfPassage(passage: Headed, asked: AskedWords): number {
  const { text } = passage;
  const sentences = sentencesOf(text).map(({ start, end }) => text.slice(start, end));
  return coverageOf([judge(asked, sentences, headingOf(passage))]);
}

type Headed = Pick<Passage, "title" | "columns" | "text">;

/** The text above a passage: its title, and for rows of a table the names of the columns. */
export function headingOf({ title, columns = "" }: Headed): string {
  return `${title}\n${columns}`;
}

/** The coverage of a quote. One without a number was recorded by a researcher who read it, so it answers. */
export function countedOf({ coverage = ANSWERS_FROM }: { coverage?: number | undefined }): number {
  return coverage;
}

function bestOf(singles: readonly number[], pairs: readonly number[]): number[] {
  const best = Math.max(...singles);
  const first = singles.indexOf(best);
  if (first < 0) return [];
  const run = Math.max(...pairs);
  const pairAt = pairs.indexOf(run);
  return run >= best + ADDS ? [pairAt, pairAt + 1] : [first];
}

function either(left: Shares, right: Shares): Shares {
  return left.map((share, place) => Math.max(share, right[place] ?? 0));
}
