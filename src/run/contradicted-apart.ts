// Moves the claims that their quotes contradict into a section of their own at the end of the page.
import { idsIn, isClaim, statementsOf, type Block, type Cell, type Draft } from "./report.ts";

const TITLE = "What its quotes contradict";

type Page = Pick<Draft, "blocks" | "statements">;

/** Keeps all statements. A block that loses all of its statements goes, and so does a heading with nothing below it. */
export function contradictedApart({ blocks, statements }: Page): Page {
  const apart = statementsOf({ blocks, statements }).filter(
    (statement) => isClaim(statement) && statement.verdict === "contradicted",
  );
  if (apart.length === 0) return { blocks, statements };
  const ids = new Set(apart.map(({ statement_id }) => statement_id));
  const kept = blocks
    .filter((block) => !(block.kind === "heading" && block.role === "contradicted"))
    .flatMap((block) => withoutIds(block, ids));
  const items = [...ids].map((id) => ({ statements: [id] }));
  return {
    statements,
    blocks: [
      ...withoutEmptyHeadings(kept),
      { kind: "heading", level: 2, text: TITLE, role: "contradicted" },
      { kind: "list", ordered: false, items },
    ],
  };
}

/** Removes each heading that has no block below it, not even below a smaller heading. */
export function withoutEmptyHeadings(blocks: readonly Block[]): Block[] {
  return blocks.filter((block, at) => {
    if (block.kind !== "heading") return true;
    const next = blocks.slice(at + 1).find((other) => other.kind !== "heading" || other.level <= block.level);
    return next !== undefined && next.kind !== "heading";
  });
}

function withoutIds(block: Block, ids: ReadonlySet<string>): Block[] {
  const left = (own: readonly string[]): string[] => own.filter((id) => !ids.has(id));
  if (!idsIn(block).some((id) => ids.has(id))) return [block];
  switch (block.kind) {
    case "paragraph": {
      const own = left(block.statements);
      return own.length === 0 ? [] : [{ ...block, statements: own }];
    }
    case "list": {
      const items = block.items
        .map((item) => ({ ...item, statements: left(item.statements) }))
        .filter((item) => item.statements.length > 0);
      return items.length === 0 ? [] : [{ ...block, items }];
    }
    case "table": {
      const cellOf = (cell: Cell): Cell => {
        if (typeof cell === "string") return cell;
        const own = left(cell);
        return own.length === 0 ? "–" : own;
      };
      const isPlain = (cell: Cell): boolean => typeof cell === "string";
      // A row goes when all of its statements left. A row of plain words stays.
      const rows = block.rows.flatMap((row) => {
        const cells = row.map(cellOf);
        return cells.every(isPlain) && !row.every(isPlain) ? [] : [cells];
      });
      return rows.length === 0 ? [] : [{ ...block, rows }];
    }
    case "heading":
    case "code":
    case "excerpt":
      return [];
  }
}
