// Finds where documents give different numbers for what seems to be one thing: the same unit beside the same words.
import type { Comparison } from "../../run/report.ts";
import type { Lexicon } from "./lexicon.ts";
import { quantitiesOf, type Quantity } from "./quantities.ts";
import { likeness, sharedCount } from "./similarity.ts";
import { subjectOf, type Statement } from "./statements.ts";
import { subjectHead } from "./subject-head.ts";

const METHOD = "lexical-numbers";
/** Words around a number tell what it counts. */
const WINDOW = 70;
const MIN_SHARED = 2;
const MIN_SHARE = 0.4;
/** "The broker" and "the table queue" have other numbers because they are other things. */
const MIN_LIKENESS_OF_HEADS = 0.5;
/** A sentence full of numbers compares things itself. */
const MAX_QUANTITIES = 4;
const SAME_VALUE = 0.01;

interface Measured {
  statement: Statement;
  quantity: Quantity;
  /** The terms around the number. */
  around: ReadonlySet<string>;
  /** The terms of what the number is about. */
  head: ReadonlySet<string>;
}

interface Pair {
  left: Measured;
  right: Measured;
  share: number;
}

/** The likeliest first. */
export function differingNumbers(statements: readonly Statement[], lexicon: Lexicon): Comparison[] {
  const measured = statements.flatMap((statement) => measuredOf(statement, lexicon));
  const pairs: Pair[] = [];
  for (const [index, left] of measured.entries()) {
    for (const right of measured.slice(index + 1)) {
      const share = shareOf(left, right);
      if (share > 0 && !agreeSomewhere(left, right, measured)) pairs.push({ left, right, share });
    }
  }
  pairs.sort((one, other) => other.share - one.share);
  return grouped(pairs).map((sides) => comparisonOf(sides, lexicon));
}

function measuredOf(statement: Statement, lexicon: Lexicon): Measured[] {
  const { text } = statement.claim;
  const quantities = quantitiesOf(text, lexicon);
  if (quantities.length > MAX_QUANTITIES) return [];
  return quantities.map((quantity) => {
    const end = quantity.start + quantity.written.length;
    const near = `${text.slice(Math.max(0, quantity.start - WINDOW), quantity.start)} ${text.slice(end, end + WINDOW)}`;
    const around = new Set(lexicon.termsOf(near).filter((term) => !/^\p{N}/u.test(term) && !lexicon.isWeak(term)));
    return { statement, quantity, around, head: subjectHead(text, quantity.start, lexicon) };
  });
}

/** 0 when the two do not speak of one thing, or say the same of it. */
function shareOf(left: Measured, right: Measured): number {
  if (left.statement.source === right.statement.source) return 0;
  const [one, other] = [left.quantity, right.quantity];
  if (one.dimension !== other.dimension || isSame(one.value, other.value)) return 0;
  if (likeness(left.head, right.head) < MIN_LIKENESS_OF_HEADS) return 0;
  const shared = sharedCount(left.around, right.around);
  const share = shared / Math.max(1, Math.min(left.around.size, right.around.size));
  return shared >= MIN_SHARED && share >= MIN_SHARE ? share : 0;
}

/** Two sentences that also share a number of that kind are likely about several things. */
function agreeSomewhere(left: Measured, right: Measured, all: readonly Measured[]): boolean {
  const valuesOf = ({ statement, quantity }: Measured): number[] =>
    all
      .filter((other) => other.statement === statement && other.quantity.dimension === quantity.dimension)
      .map((other) => other.quantity.value);
  const values = valuesOf(left);
  return valuesOf(right).some((value) => values.some((other) => isSame(value, other)));
}

function isSame(left: number, right: number): boolean {
  return Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * SAME_VALUE;
}

/** Pairs that meet in a claim are read together; a claim stands once in a comparison, and in one only. */
function grouped(pairs: readonly Pair[]): Measured[][] {
  const groups: Measured[][] = [];
  for (const { left, right } of pairs) {
    const group = groups.find((sides) => sides.includes(left) || sides.includes(right));
    const isTaken = (side: Measured): boolean =>
      groups.some((sides) => sides.some(({ statement }) => statement === side.statement));
    if (group === undefined) {
      if (!isTaken(left) && !isTaken(right)) groups.push([left, right]);
      continue;
    }
    const added = group.includes(left) ? right : left;
    if (!isTaken(added)) group.push(added);
  }
  return groups;
}

function comparisonOf(sides: readonly Measured[], lexicon: Lexicon): Comparison {
  const [first] = sides;
  const shared = new Set([...(first?.around ?? [])].filter((term) => sides.every(({ around }) => around.has(term))));
  const pairwise = shared.size > 0 ? shared : (first?.around ?? shared);
  return {
    kind: "numbers",
    title: subjectOf(first?.statement.claim.text ?? "", pairwise, lexicon),
    method: METHOD,
    sides: sides.map(({ statement, quantity }) => ({ claim_id: statement.claim.claim_id, value: quantity.written })),
  };
}
