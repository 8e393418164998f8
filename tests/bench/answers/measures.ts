// Measures over all questions of a language: shares, F1, the area under the curve, and the curve itself.
import type { Asked } from "./ask.ts";

export interface Measures {
  answerable: number;
  unanswerable: number;
  /** Of the answerable questions: a right sentence stands in the answer; there or in a nearest passage; on the page. */
  right: number;
  rightOrNearest: number;
  rightAnywhere: number;
  /** Of the answerable questions: a right sentence stands in the first passage of `search`, and in its first five. */
  firstOfSearch: number;
  fiveOfSearch: number;
  /** Of the unanswerable questions: no answer is given. */
  refused: number;
  /** Of all marked sentences of all answers, those that are right. */
  precision: number;
  /** Of the answerable questions, those of which a marked sentence is right. */
  recall: number;
  f1: number;
  /** How often a random answerable question has more coverage than a random unanswerable one; ties count half. */
  auc: number;
  wordsPerAnswer: number;
  secondsPerQuestion: number;
}

export function measuresOf(asked: readonly Asked[]): Measures {
  const answerable = asked.filter(({ isAnswerable }) => isAnswerable);
  const unanswerable = asked.filter(({ isAnswerable }) => !isAnswerable);
  const precision = ratio(sum(asked, "rightSentences"), sum(asked, "markedSentences"));
  const recall = share(answerable, ({ rightSentences }) => rightSentences > 0);
  return {
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    right: share(answerable, ({ isRight }) => isRight),
    rightOrNearest: share(answerable, ({ isRight, isRightNearest }) => isRight || isRightNearest),
    rightAnywhere: share(answerable, ({ isRightAnywhere }) => isRightAnywhere),
    firstOfSearch: share(answerable, ({ placeInSearch }) => placeInSearch === 1),
    fiveOfSearch: share(answerable, ({ placeInSearch }) => placeInSearch !== null),
    refused: share(unanswerable, ({ hasAnswer }) => !hasAnswer),
    precision,
    recall,
    f1: ratio(2 * precision * recall, precision + recall),
    auc: aucOf(
      answerable.map(({ coverage }) => coverage),
      unanswerable.map(({ coverage }) => coverage),
    ),
    wordsPerAnswer: ratio(sum(asked, "answerWords"), asked.filter(({ hasAnswer }) => hasAnswer).length),
    secondsPerQuestion: ratio(sum(asked, "seconds"), asked.length),
  };
}

export function aucOf(high: readonly number[], low: readonly number[]): number {
  let wins = 0;
  for (const one of high) for (const other of low) wins += one > other ? 1 : one === other ? 0.5 : 0;
  return ratio(wins, high.length * low.length);
}

export interface PointOfCurve {
  threshold: number;
  /** Answerable, at or above the threshold, and the passage that is shown holds a right sentence. */
  answeredRight: number;
  /** Unanswerable and below the threshold. */
  refusedRight: number;
}

const STEP = 0.05;

/** What another threshold would have done with the same passages. */
export function curveOf(asked: readonly Asked[]): PointOfCurve[] {
  const answerable = asked.filter(({ isAnswerable }) => isAnswerable);
  const unanswerable = asked.filter(({ isAnswerable }) => !isAnswerable);
  return Array.from({ length: Math.round(1 / STEP) + 1 }, (_, index) => {
    const threshold = index * STEP;
    // Sums of 0.05 are not exact.
    const reaches = ({ coverage }: Asked): boolean => coverage >= threshold - 1e-9;
    return {
      threshold,
      answeredRight: share(answerable, (one) => reaches(one) && (one.isRight || one.isRightNearest)),
      refusedRight: share(unanswerable, (one) => !reaches(one)),
    };
  });
}

function share(asked: readonly Asked[], holds: (one: Asked) => boolean): number {
  return ratio(asked.filter(holds).length, asked.length);
}

function sum(asked: readonly Asked[], field: "rightSentences" | "markedSentences" | "answerWords" | "seconds"): number {
  return asked.reduce((total, one) => total + one[field], 0);
}

/** 0 of nothing is 0. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
