// Replaces the statements and labels in the blocks of a page. A block that loses all its statements is left out.
import type { Block, Cell } from "./report.ts";
import { idsIn } from "./statements.ts";
import { isRowLabel } from "./labels.ts";

export interface Places {
  /** The ids that take the place of an id. */
  ids: (id: string) => readonly string[];
  /** The label that takes the place of a label. It is called in the order of their numbers. An empty label is left out. */
  label?: (text: string, of: "heading" | "lead" | "column" | "row") => string;
}

/** The changed blocks. Lists of steps continue counting as before. `change`: for blocks that need more than `blockWith`. */
export function blocksWith(blocks: readonly Block[], places: Places, change = blockWith): Block[] {
  const changed: Block[] = [];
  /** For each number that followed a list of this section, the number that follows the list now. */
  let following = new Map<number, number>();
  for (const block of blocks) {
    const now = change(block, places);
    if (block.kind === "heading") following = new Map();
    if (block.kind !== "list" || !block.ordered) {
      changed.push(...now);
      continue;
    }
    const { start = 1, items } = block;
    let next = following.get(start) ?? start;
    for (const one of now) {
      const { start: _before, ...list } = one as typeof block;
      changed.push(next === 1 ? list : { ...list, start: next });
      next += list.items.length;
    }
    following.set(start + items.length, next);
  }
  return changed;
}

export function blockWith(block: Block, { ids, label = (text) => text }: Places): Block[] {
  const running = <R extends { lead?: string | undefined; statements: string[] }>({ lead, ...rest }: R) => {
    const named = lead === undefined ? "" : label(lead, "lead");
    const statements = rest.statements.flatMap(ids);
    return statements.length === 0 ? [] : [{ ...rest, ...(named === "" ? {} : { lead: named }), statements }];
  };
  switch (block.kind) {
    case "heading": {
      const text = label(block.text, "heading");
      return text === "" ? [] : [{ ...block, text }];
    }
    case "paragraph":
      return running(block);
    case "list": {
      const items = block.items.flatMap(running);
      return items.length === 0 ? [] : [{ ...block, items }];
    }
    case "code":
    case "excerpt":
      return ids(block.statement)
        .slice(0, 1)
        .map((statement) => ({ ...block, statement }));
    case "table": {
      const columns = block.columns.map((text) => (text === "" ? "" : label(text, "column")));
      const rows = block.rows.flatMap((row) => {
        const [first = "", ...cells] = row;
        const own = [isRowLabel(first) ? label(first, "row") : first, ...cells].map((cell) => cellWith(cell, ids));
        // A row that never had a statement stays while it has a name.
        return own.some(isStated) || (!row.some(isStated) && isRowLabel(own[0])) ? [own] : [];
      });
      const table = { ...block, columns, rows };
      return idsIn(block).length > 0 && idsIn(table).length === 0 ? [] : [table];
    }
  }
}

function isStated(cell: Cell): boolean {
  return typeof cell !== "string";
}

function cellWith(cell: Cell, ids: Places["ids"]): Cell {
  if (typeof cell === "string") return cell;
  const own = cell.flatMap(ids);
  return own.length === 0 ? "–" : own;
}
