// The map of coverage: for each part of the question, how many claims each source has for it.
import type { Report } from "../run/report/report.ts";
import { isClaim } from "../run/report/statements.ts";
import { marksBehind, statementsIn, type Mark } from "./report-view.ts";

/** When there are more sources, those with the most claims have their own columns, and the last column is for all others. */
const MAX_COLUMNS = 24;

/** How many claims from the sources of one column answer the part, and how many only mention it. */
export interface MapCell {
  answers: number;
  mentions: number;
}

export interface CoverageMap {
  /** The numbers of the sources. The last column may be `+176`, for 176 other sources. */
  columns: string[];
  /** A row for each part of the question, with a cell for each column. */
  rows: { text: string; cells: MapCell[] }[];
}

/** Null with fewer than two sources, and when the report does not say which claims answer its parts. */
export function coverageMapOf(report: Report): CoverageMap | null {
  const numbersOf = sourcesOf(report);
  const rows = report.parts.map(({ text, answered_by = [], mentioned_by = [] }) => ({
    text,
    answers: answered_by.flatMap(numbersOf),
    mentions: mentioned_by.flatMap(numbersOf),
  }));
  const all = rows.flatMap(({ answers, mentions }) => [...answers, ...mentions]);
  if (all.length === 0 || report.sources.length < 2) return null;
  const { own, others } = columnsOf(report, all);
  const cellOf = ({ answers, mentions }: (typeof rows)[number], isIn: (number: number) => boolean): MapCell => ({
    answers: answers.filter(isIn).length,
    mentions: mentions.filter(isIn).length,
  });
  return {
    columns: [...own.map(String), ...(others === 0 ? [] : [`+${others}`])],
    rows: rows.map((row) => ({
      text: row.text,
      cells: [
        ...own.map((number) => cellOf(row, (one) => one === number)),
        ...(others === 0 ? [] : [cellOf(row, (one) => !own.includes(one))]),
      ],
    })),
  };
}

/** Finds the numbers of the sources behind a claim. Each claim is looked up once, since many parts may name it. */
function sourcesOf(report: Report): (id: string) => number[] {
  const known = new Map<string, number[]>();
  return (id) => {
    const marks = (): Mark[] =>
      statementsIn([id], report).flatMap((one) => (isClaim(one) ? marksBehind(one, report) : []));
    const numbers = known.get(id) ?? [...new Set(marks().map(({ source }) => source.number))];
    known.set(id, numbers);
    return numbers;
  };
}

function columnsOf({ sources }: Report, all: readonly number[]): { own: number[]; others: number } {
  const numbers = sources.map(({ number }) => number);
  if (numbers.length <= MAX_COLUMNS) return { own: numbers, others: 0 };
  const claims = new Map<number, number>();
  for (const number of all) claims.set(number, (claims.get(number) ?? 0) + 1);
  const most = numbers.toSorted((one, other) => (claims.get(other) ?? 0) - (claims.get(one) ?? 0));
  const own = most.slice(0, MAX_COLUMNS - 1).toSorted((one, other) => one - other);
  return { own, others: numbers.length - own.length };
}
