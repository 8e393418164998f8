// Single statements of a written page written again; all others stay as they are.
import { shortened } from "../../kernel/shortened.ts";
import { withoutEmptyHeadings } from "../../run/contradicted-apart.ts";
import type { Block } from "../../run/report.ts";
import {
  isRowLabel,
  labelsOf,
  MAX_LABEL_LENGTH,
  readPage,
  TITLE_ID,
  type Titles,
  type WrittenPage,
  type WrittenStatement,
} from "./written-page.ts";

export interface Change {
  /** Of a statement or a label. */
  statement_id: string;
  /** Markdown with marks; empty leaves it out. */
  text: string;
}

/** The page with the changes, and the ids that it does not have. What is split into several sentences gets further ids. */
export function revised(
  page: WrittenPage,
  changes: readonly Change[],
  titles: Titles,
): { page: WrittenPage; unknown: string[] } {
  const statements = new Map(page.statements);
  const replaced = new Map<string, string[]>();
  const relabelled = new Map<string, string>();
  const unknown: string[] = [];
  const taken = [...page.taken];
  let next = Math.max(0, ...[...statements.keys()].map((id) => Number(id.slice(1)))) + 1;
  for (const { statement_id, text } of changes) {
    const old = statements.get(statement_id);
    if (old === undefined) {
      if (page.labels.some(({ label_id }) => label_id === statement_id)) relabelled.set(statement_id, plainLabel(text));
      else unknown.push(statement_id);
      continue;
    }
    const read = readAgain(old, text, titles);
    taken.push(...read.taken);
    const ids = read.statements.map((one, index) => {
      const id = index === 0 ? statement_id : `s${next++}`;
      statements.set(id, { ...one, statement_id: id, place: old.place });
      return id;
    });
    if (ids.length === 0) statements.delete(statement_id);
    replaced.set(statement_id, ids);
  }
  const idsFor = (id: string): string[] => replaced.get(id) ?? [id];
  const blocks = relabel(page, relabelled).flatMap((block) => rewritten(block, idsFor, statements));
  const kept = withoutEmptyHeadings(blocks);
  const { title: old, ...rest } = page;
  const title = relabelled.get(TITLE_ID) ?? old ?? "";
  const labels = labelsOf(kept, title);
  placeCells(kept, statements);
  return { page: { ...rest, ...(title === "" ? {} : { title }), blocks: kept, statements, labels, taken }, unknown };
}

/** A cell is read with the names of its row and column, as they are now. */
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

/** Code shows its statement; an excerpt that is written again as prose is a paragraph. */
function rewritten(
  block: Block,
  idsFor: (id: string) => string[],
  statements: ReadonlyMap<string, WrittenStatement>,
): Block[] {
  if (block.kind === "excerpt") {
    const ids = idsFor(block.statement);
    if (ids.some((id) => statements.get(id)?.kind !== "excerpt"))
      return ids.length === 0 ? [] : [{ kind: "paragraph", statements: ids }];
    return ids.map((statement) => ({ kind: "excerpt", statement, marks: [] }));
  }
  return blockWith(block, idsFor).map((one) =>
    one.kind === "code" ? { ...one, text: statements.get(one.statement)?.text ?? one.text } : one,
  );
}

function readAgain(
  old: WrittenStatement,
  text: string,
  titles: Titles,
): { statements: WrittenStatement[]; taken: WrittenPage["taken"] } {
  // A dash, an apology or a sign of emptiness in a cell is no statement.
  if (/^[\s–—-]*$/u.test(text)) return { statements: [], taken: [] };
  const { statements, taken } = readPage(text, titles);
  const all = [...statements.values()];
  const [first] = all;
  if (first === undefined || all.length === 1 || old.place.kind === "sentence") return { statements: all, taken };
  // A cell and code are one statement.
  const joined = {
    ...first,
    text: all.map((one) => one.text).join(old.place.kind === "code" ? "\n" : " "),
    citation_ids: [...new Set(all.flatMap((one) => one.citation_ids))],
    from: [...new Set(all.flatMap((one) => one.from))],
  };
  return { statements: [joined], taken };
}

function plainLabel(text: string): string {
  return shortened(text.replace(/^[\s#*>-]+|[\s#*:]+$/gu, ""), MAX_LABEL_LENGTH);
}

/** Labels are counted as `labelsOf` counts them. */
function relabel({ blocks }: WrittenPage, changed: ReadonlyMap<string, string>): Block[] {
  let number = 0;
  const of = (text: string): string => changed.get(`h${++number}`) ?? text;
  const running = <R extends { lead?: string | undefined; statements: string[] }>({ lead, ...rest }: R) => {
    const label = lead === undefined ? "" : of(lead);
    return label === "" ? rest : { lead: label, ...rest };
  };
  return blocks.flatMap((block): Block[] => {
    if (block.kind === "heading") {
      const text = of(block.text);
      return text === "" ? [] : [{ ...block, text }];
    }
    if (block.kind === "paragraph") return [running(block) as Block];
    if (block.kind === "list") return [{ ...block, items: block.items.map((item) => running(item)) }];
    if (block.kind !== "table") return [block];
    const columns = block.columns.map((text) => (text === "" ? "" : of(text)));
    const rows = block.rows.map(([first = "", ...cells]) => [isRowLabel(first) ? of(first) : first, ...cells]);
    return [{ ...block, columns, rows }];
  });
}

/** The block with other ids in the places of its own; none when nothing is left of it. */
export function blockWith(block: Block, idsFor: (id: string) => readonly string[]): Block[] {
  switch (block.kind) {
    case "heading":
      return [block];
    case "paragraph": {
      const statements = block.statements.flatMap(idsFor);
      return statements.length === 0 ? [] : [{ ...block, statements }];
    }
    case "list": {
      const items = block.items
        .map((item) => ({ ...item, statements: item.statements.flatMap(idsFor) }))
        .filter(({ statements }) => statements.length > 0);
      return items.length === 0 ? [] : [{ ...block, items }];
    }
    case "code":
    case "excerpt":
      return idsFor(block.statement).length === 0 ? [] : [block];
    case "table": {
      const rows = block.rows.map((row) =>
        row.map((cell) => {
          if (typeof cell === "string") return cell;
          const ids = cell.flatMap(idsFor);
          return ids.length === 0 ? "–" : ids;
        }),
      );
      const holdsSomething = rows.filter((row) => row.some((cell) => typeof cell !== "string"));
      return holdsSomething.length === 0 ? [] : [{ ...block, rows: holdsSomething }];
    }
  }
}
