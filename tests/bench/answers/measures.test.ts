import { expect, test } from "bun:test";
import type { Asked } from "./ask.ts";
import { COLLECTIONS } from "./collections.ts";
import { aucOf, curveOf, measuresOf } from "./measures.ts";
import { tableOfMeasures } from "./tables.ts";

function asked(changed: Partial<Asked>): Asked {
  const nothing = { hasAnswer: false, isRight: false, isRightNearest: false, markedSentences: 0, rightSentences: 0 };
  const rest = { coverage: 0, answerWords: 0, seconds: 1, isRightAnywhere: false, placeInSearch: null };
  return { language: "en", isAnswerable: true, ...rest, ...nothing, ...changed };
}

const RIGHT = asked({
  coverage: 0.9,
  hasAnswer: true,
  isRight: true,
  markedSentences: 2,
  rightSentences: 1,
  answerWords: 60,
  placeInSearch: 1,
});
const WRONG = asked({ coverage: 0.6, hasAnswer: true, isRightAnywhere: true, markedSentences: 1, answerWords: 40 });
const NEAR = asked({ coverage: 0.4, isRightNearest: true, placeInSearch: 3 });
const REFUSED = asked({ isAnswerable: false, coverage: 0.2 });
const FOOLED = asked({ isAnswerable: false, coverage: 0.6, hasAnswer: true, markedSentences: 1, answerWords: 20 });
const ALL = [RIGHT, WRONG, NEAR, REFUSED, FOOLED];

test("answers, nearest passages and refusals are shares of their own questions", () => {
  const measures = measuresOf(ALL);
  expect(measures).toMatchObject({ answerable: 3, unanswerable: 2, refused: 0.5, wordsPerAnswer: 40 });
  expect(measures.right).toBeCloseTo(1 / 3);
  expect(measures.rightOrNearest).toBeCloseTo(2 / 3);
  expect(measures.rightAnywhere).toBeCloseTo(1 / 3);
  expect(measures.firstOfSearch).toBeCloseTo(1 / 3);
  expect(measures.fiveOfSearch).toBeCloseTo(2 / 3);
});

test("precision counts sentences, of answers to unanswerable questions too; recall counts questions", () => {
  const { precision, recall, f1 } = measuresOf(ALL);
  expect(precision).toBeCloseTo(1 / 4);
  expect(recall).toBeCloseTo(1 / 3);
  expect(f1).toBeCloseTo(2 / 7);
});

test("the area under the curve is the share of pairs in the right order, and a tie is half of one", () => {
  expect(aucOf([0.9, 0.8], [0.1, 0.2])).toBe(1);
  expect(aucOf([0.1], [0.9])).toBe(0);
  expect(aucOf([0.5], [0.5])).toBe(0.5);
  expect(measuresOf(ALL).auc).toBeCloseTo((2 + 1.5 + 1) / 6);
});

test("the curve says what each threshold would do with the same passages", () => {
  const at = (threshold: number): unknown => curveOf(ALL).find((point) => Math.abs(point.threshold - threshold) < 0.01);
  expect(curveOf(ALL)).toHaveLength(21);
  expect(at(0)).toMatchObject({ answeredRight: 2 / 3, refusedRight: 0 });
  expect(at(0.5)).toMatchObject({ answeredRight: 1 / 3, refusedRight: 0.5 });
  expect(at(0.6)).toMatchObject({ refusedRight: 0.5 });
  expect(at(1)).toMatchObject({ answeredRight: 0, refusedRight: 1 });
});

test("the table has a column for each language that was asked", () => {
  const [head, , first] = tableOfMeasures([...ALL, asked({ language: "fr" })]).split("\n");
  expect(head?.split("|").map((cell) => cell.trim())).toEqual(["", "", "all", "English", "French", ""]);
  expect(first).toContain("| 4 / 2 | 3 / 2");
});

test("the set is large enough, in three languages, and no pattern remembers where it matched", () => {
  const answerable = COLLECTIONS.flatMap((collection) => collection.answerable);
  const asks = [...answerable.map(({ ask }) => ask), ...COLLECTIONS.flatMap(({ unanswerable }) => unanswerable)];
  expect(answerable.length).toBeGreaterThanOrEqual(120);
  expect(asks.length - answerable.length).toBeGreaterThanOrEqual(60);
  expect(new Set(COLLECTIONS.map(({ language }) => language)).size).toBeGreaterThanOrEqual(3);
  expect(new Set(asks).size).toBe(asks.length);
  expect(answerable.filter(({ right }) => right.global || right.sticky)).toEqual([]);
});
