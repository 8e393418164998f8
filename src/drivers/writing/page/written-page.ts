// A page as a model wrote it: blocks, labels, and statements with what each names. Nothing of it is judged yet.
import { blocksWith } from "../../../run/report/changed-blocks.ts";
import { withoutEmptyHeadings } from "../../../run/report/contradicted-apart.ts";
import { labelsIn, type Label } from "../../../run/report/labels.ts";
import type { Block } from "../../../run/report/report.ts";
import type { Clause } from "./marks.ts";
import type { TakenOff } from "./wrapping.ts";

/** The id of the title. All other labels are numbered: `h1`. */
export const TITLE_ID = "title";

export interface WrittenStatement {
  statement_id: string;
  text: string;
  /** What its marks say. `unmarked`: it has none. */
  kind: "cited" | "derived" | "suggested" | "gap" | "excerpt" | "unmarked";
  /** The ids in its marks: of citations, of statements (`from`) and of gaps. */
  citation_ids: string[];
  /** Those of the citations that say otherwise than the others. */
  against?: string[];
  /** Where its marks are inside of it. Gone once its words are others. */
  clauses?: Clause[];
  from: string[];
  gap_ids: string[];
  /** Ids of statements in its marks that the writer was not shown. */
  unlinked?: string[];
  expression?: string | undefined;
  /** The addresses of its links, which the page does not show. */
  links?: string[];
  place: { kind: "sentence" | "code" } | { kind: "cell"; row: string; column: string };
}

export interface WrittenLabel extends Label {
  label_id: string;
}

export interface WrittenPage {
  title?: string | undefined;
  blocks: Block[];
  statements: Map<string, WrittenStatement>;
  labels: WrittenLabel[];
  /** What was taken off the page. */
  taken: TakenOff[];
  /** How much of the page was there before this writer. */
  before?: { statements: number; blocks: number };
}

/** Titles of sources by citation id, since a mark may be a word of its sentence. */
export type Titles = ReadonlyMap<string, string>;

// --- labels -------------------------------------------------------------------------------------------------------

export function labelsOf(blocks: readonly Block[], title?: string): WrittenLabel[] {
  let number = 0;
  return labelsIn(blocks, title).map((label) => ({
    label_id: label.of === "title" ? TITLE_ID : `h${++number}`,
    ...label,
  }));
}

// --- the page with less, or with other places ----------------------------------------------------------------------

/** The number for a new statement. Other drivers name statements in other ways than `s1`. */
export function nextId({ statements }: WrittenPage): number {
  return Math.max(0, ...[...statements.keys()].map((id) => Number(/^s(\d+)$/u.exec(id)?.[1] ?? 0))) + 1;
}

/** The page with only those of its statements that are kept. */
export function pageWith(page: WrittenPage, isKept: (id: string) => boolean): WrittenPage {
  const kept = [...page.statements].flatMap(([id, one]) =>
    isKept(id) ? [[id, { ...one, from: one.from.filter(isKept) }] as const] : [],
  );
  const blocks = withoutEmptyHeadings(blocksWith(page.blocks, { ids: (id) => (isKept(id) ? [id] : []) }));
  return { ...page, blocks, statements: new Map(kept), labels: labelsOf(blocks, page.title) };
}

/** Sets the place of each cell to the present names of its row and column. */
export function placeCells(blocks: readonly Block[], statements: Map<string, WrittenStatement>): void {
  for (const block of blocks) {
    if (block.kind !== "table") continue;
    for (const cells of block.rows) {
      const [first = ""] = cells;
      const label = typeof first === "string" ? first : first.map((id) => statements.get(id)?.text ?? "").join(" ");
      for (const [at, cell] of cells.entries())
        for (const id of typeof cell === "string" ? [] : cell) {
          const statement = statements.get(id);
          const place = { kind: "cell" as const, row: at === 0 ? "" : label, column: block.columns[at] ?? "" };
          if (statement !== undefined) statements.set(id, { ...statement, place });
        }
    }
  }
}

// --- statements before --------------------------------------------------------------------------------

/**
 * Replaces the ids in `from`, which name statements in `shown`, by the ids that these statements have in `all`. A statement that
 * is not there any more gives its citations instead. `shown`: the statements that the writer saw last.
 */
export function linkStatements(
  written: Iterable<WrittenStatement>,
  all: ReadonlyMap<string, WrittenStatement>,
  shown: ReadonlyMap<string, WrittenStatement>,
): void {
  const byText = new Map([...all.values()].map(({ text, statement_id }) => [text, statement_id]));
  const nowOf = ({ text, statement_id }: WrittenStatement): string | undefined =>
    all.get(statement_id)?.text === text ? statement_id : byText.get(text);
  for (const statement of written) {
    const { from, citation_ids, statement_id } = statement;
    if (from.length === 0) continue;
    const old = from.flatMap((id) => shown.get(id) ?? []);
    const lent = old.flatMap((one) => (nowOf(one) === undefined ? one.citation_ids : []));
    const unlinked = from.filter((id) => !shown.has(id));
    statement.from = old.flatMap((one) => nowOf(one) ?? []).filter((id) => id !== statement_id);
    statement.citation_ids = [...new Set([...citation_ids, ...lent])];
    if (unlinked.length > 0) statement.unlinked = unlinked;
  }
}

/** The text of a statement, and for a cell the names of its row and column before it. */
export function cellText({ text, place }: WrittenStatement): string {
  if (place.kind !== "cell") return text;
  return [place.row, place.column].filter((name) => name !== "").join(", ") + `: ${text}`;
}

/** True for an excerpt, a sentence that is a whole quote, and code that is in a quote. */
export function isQuotation(
  { text, place, kind }: WrittenStatement,
  quotes: readonly { quote: { text: string } }[],
): boolean {
  if (kind === "excerpt") return true;
  if (kind === "derived" || kind === "suggested" || kind === "unmarked") return false;
  return quotes.some(({ quote }) =>
    place.kind === "code" ? flat(quote.text).includes(flat(text)) : flat(quote.text) === flat(text),
  );
}

function flat(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
