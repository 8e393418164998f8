// The texts that a report shows, in the sections of one role or at all, and the sentences that it marks.
import type { Block, Quoting, Draft, Heading } from "../../../src/run/report/report.ts";
import { idsIn, isQuoting, sectionsOf } from "../../../src/run/report/statements.ts";

type Page = Pick<Draft, "blocks" | "statements" | "sources">;

export interface Shown {
  text: string;
  /** Where the text is from: the origin of its source. */
  origin: string;
  /** The marked sentences of an excerpt; of any other block the statement itself. */
  marked: string[];
}

/** Without a role: on the whole page. */
export function shownUnder(report: Page, role?: NonNullable<Heading["role"]>): Shown[] {
  return sectionsOf(report)
    .filter(({ heading }) => role === undefined || heading?.role === role)
    .flatMap(({ blocks }) => blocks.flatMap((block) => shownBy(report, block)));
}

function shownBy(report: Page, block: Block): Shown[] {
  return idsIn(block).flatMap((id): Shown[] => {
    const statement = report.statements[id];
    if (statement === undefined || !isQuoting(statement)) return [];
    const marked = block.kind === "excerpt" ? markedOf(statement, block.marks) : [statement.text];
    return [{ text: textOf(statement), origin: originOf(report, statement), marked }];
  });
}

function textOf({ text, quotes: [quote] }: Quoting): string {
  return quote?.text ?? text;
}

function originOf({ sources }: Page, { quotes: [quote] }: Quoting): string {
  return sources.find(({ source_digest }) => source_digest === quote?.source_digest)?.origin ?? "";
}

/** Marks count bytes of the source's text, like the quote. */
function markedOf({ quotes: [quote] }: Quoting, marks: readonly { start: number; end: number }[]): string[] {
  if (quote === undefined) return [];
  const bytes = Buffer.from(quote.text);
  return marks.map(({ start, end }) => bytes.subarray(start - quote.start, end - quote.start).toString("utf8"));
}
