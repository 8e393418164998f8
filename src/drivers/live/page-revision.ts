// Single statements of a written page written again; all others stay as they are.
import type { Block } from "../../run/report.ts";
import { labelsOf, readPage, type Titles, type WrittenPage, type WrittenStatement } from "./written-page.ts";

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
  const blocks = relabel(page, relabelled).flatMap((block) => blockWith(block, (id) => replaced.get(id) ?? [id]));
  const kept = withoutEmptyHeadings(blocks);
  return { page: { ...page, blocks: kept, statements, labels: labelsOf(kept), taken }, unknown };
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
  return text.replace(/^[\s#*>-]+|[\s#*:]+$/gu, "").slice(0, 300);
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
    return [block];
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

/** A heading goes with the last that stood below it. */
export function withoutEmptyHeadings(blocks: readonly Block[]): Block[] {
  return blocks.filter((block, at) => {
    if (block.kind !== "heading") return true;
    let next = at + 1;
    for (; blocks[next]?.kind === "heading"; next++) if (levelOf(blocks[next]) <= block.level) return false;
    return next < blocks.length;
  });
}

function levelOf(block: Block | undefined): number {
  return block?.kind === "heading" ? block.level : 0;
}
