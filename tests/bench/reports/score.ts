// Holds a report against the rubric of its question.
import type { Draft } from "../../../src/run/report/report.ts";
import { claimsOf } from "../../../src/run/report/statements.ts";
import { hasTable, placesOf, wordsOn } from "./page.ts";
import { holds, type Question, type Says } from "./rubric.ts";

type Page = Pick<Draft, "blocks" | "statements" | "gaps">;

export interface Score {
  facts: { found: number; of: number };
  /** The table, the recommendation and the gaps that are due. */
  due: { found: number; of: number };
  wrong: number;
  /** Claims that the page marks as contradicted or not checked. */
  doubts: number;
  words: number;
  /** What of the rubric is there, less what is wrong, from 0 to 1. */
  score: number;
  /** What is missing and what is wrong, in words. */
  remarks: string[];
}

/** Without a report everything is missing. */
export function scoreOf(page: Page | null, question: Question): Score {
  const facts = question.facts.map(({ fact, says }) => ({ what: fact, isThere: page !== null && states(page, says) }));
  const due = dueOf(question).map(({ what, isIn }) => ({ what, isThere: page !== null && isIn(page) }));
  const wrong = page === null ? [] : question.wrong.filter((one) => isSaid(page, one));
  const found = [...facts, ...due].filter(({ isThere }) => isThere).length;
  const missing = [...facts, ...due].filter(({ isThere }) => !isThere);
  return {
    facts: countOf(facts),
    due: countOf(due),
    wrong: wrong.length,
    doubts: page === null ? 0 : claimsOf(page).filter(({ verdict }) => verdict !== "supported").length,
    words: page === null ? 0 : wordsOn(page),
    score: Math.max(0, found - wrong.length) / (facts.length + due.length),
    remarks: [...missing.map(({ what }) => `missing: ${what}`), ...wrong.map(({ claim }) => `wrong: ${claim}`)],
  };
}

function countOf(items: readonly { isThere: boolean }[]): { found: number; of: number } {
  return { found: items.filter(({ isThere }) => isThere).length, of: items.length };
}

function states(page: Page, says: Says): boolean {
  return placesOf(page).some(({ text }) => holds(text, says));
}

function dueOf({
  isTableDue,
  recommends,
  unanswered = [],
}: Question): { what: string; isIn: (page: Page) => boolean }[] {
  return [
    ...(isTableDue === undefined ? [] : [{ what: "a table", isIn: hasTable }]),
    ...(recommends === undefined
      ? []
      : [{ what: `the advice: ${recommends.what}`, isIn: (page: Page) => concludes(page, recommends.says) }]),
    ...unanswered.map(({ what, says }) => ({
      what: `that it was not found: ${what}`,
      isIn: (page: Page) => admits(page, says),
    })),
  ];
}

/** A conclusion in the answer: advice that is only quoted is somebody else's. */
function concludes(page: Page, says: Says): boolean {
  const places = placesOf(page).filter(({ isInAnswer }) => isInAnswer);
  return places.some(
    ({ text, statements }) => statements.some(({ basis }) => basis === "derived") && holds(text, says),
  );
}

function admits(page: Page, says: Says): boolean {
  const told = placesOf(page).flatMap(({ statements }) => statements.filter(({ basis }) => basis === "gap"));
  return [...told, ...page.gaps].some(({ text }) => holds(text, says));
}

/** In the page's own words, and not marked as contradicted. What a source says is its own mistake. */
function isSaid(page: Page, { says, unless = [] }: Question["wrong"][number]): boolean {
  return placesOf(page).some(({ text, statements }) =>
    statements.some((statement) => {
      if (statement.basis === "quoted" || statement.basis === "gap" || statement.basis === "nearest") return false;
      if ("verdict" in statement && statement.verdict === "contradicted") return false;
      return holds(statement.text, [...says]) && !(unless.length > 0 && holds(text, [unless]));
    }),
  );
}
