// The figures as tables in Markdown, which a terminal shows as well: the first goes into docs/local-driver.md as it is.
import type { Asked } from "./ask.ts";
import { curveOf, measuresOf, type Measures } from "./measures.ts";

const LANGUAGES: Readonly<Record<Asked["language"], string>> = {
  en: "English",
  de: "German",
  fr: "French",
  ja: "Japanese",
};

const ROWS: readonly (readonly [string, (measures: Measures) => string])[] = [
  ["questions that can be answered / cannot", ({ answerable, unanswerable }) => `${answerable} / ${unanswerable}`],
  ["a right sentence in the answer", ({ right }) => percent(right)],
  ["a right sentence in the answer or a nearest passage", ({ rightOrNearest }) => percent(rightOrNearest)],
  ["a right sentence anywhere on the page", ({ rightAnywhere }) => percent(rightAnywhere)],
  ["a right sentence in the first passage of `search`", ({ firstOfSearch }) => percent(firstOfSearch)],
  ["a right sentence in its first five passages", ({ fiveOfSearch }) => percent(fiveOfSearch)],
  ["no answer where there is none", ({ refused }) => percent(refused)],
  ["marked sentences: precision", ({ precision }) => precision.toFixed(2)],
  ["marked sentences: recall", ({ recall }) => recall.toFixed(2)],
  ["marked sentences: F1", ({ f1 }) => f1.toFixed(2)],
  ["AUC of `coverage`", ({ auc }) => auc.toFixed(2)],
  ["words of an answer", ({ wordsPerAnswer }) => wordsPerAnswer.toFixed(0)],
  ["seconds a question", ({ secondsPerQuestion }) => secondsPerQuestion.toFixed(2)],
];

export function tableOfMeasures(asked: readonly Asked[]): string {
  const languages = Object.entries(LANGUAGES)
    .map(([language, name]) => ({ name, own: asked.filter((one) => one.language === language) }))
    .filter(({ own }) => own.length > 0);
  const columns = [{ name: "all", own: asked }, ...languages];
  const measures = columns.map(({ own }) => measuresOf(own));
  return tableOf(
    ["", ...columns.map(({ name }) => name)],
    ROWS.map(([label, shown]) => [label, ...measures.map(shown)]),
  );
}

export function tableOfCurve(asked: readonly Asked[]): string {
  return tableOf(
    ["threshold", "answered right", "refused right"],
    curveOf(asked).map(({ threshold, answeredRight, refusedRight }) => [
      threshold.toFixed(2),
      percent(answeredRight),
      percent(refusedRight),
    ]),
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
