// The labels of a page, each with the statements below or next to it, which have to hold what the label says.
import type { Block, Cell } from "./report.ts";
import { idsIn } from "./statements.ts";

export interface Label {
  text: string;
  /** `words`: the head of a column of plain words, which name what the other columns are about. */
  of: "title" | "heading" | "lead" | "column" | "words" | "row";
  /** Ids of the statements below or next to it. */
  below: string[];
}

/** In reading order, the title first. */
export function labelsIn(blocks: readonly Block[], title = ""): Label[] {
  const whole: Label[] = title === "" ? [] : [{ text: title, of: "title", below: blocks.flatMap(idsIn) }];
  return [...whole, ...blocks.flatMap((block, at) => labelsOfBlock(block, blocks.slice(at + 1)))];
}

function labelsOfBlock(block: Block, after: readonly Block[]): Label[] {
  switch (block.kind) {
    case "heading": {
      const end = after.findIndex((other) => other.kind === "heading" && other.level <= block.level);
      const below = after.slice(0, end === -1 ? after.length : end).flatMap(idsIn);
      return [{ text: block.text, of: "heading", below }];
    }
    case "paragraph":
    case "list": {
      const running = block.kind === "list" ? block.items : [block];
      return running.flatMap(({ lead, statements }): Label[] =>
        lead === undefined ? [] : [{ text: lead, of: "lead", below: [...statements] }],
      );
    }
    case "table": {
      const columns = block.columns.flatMap((text, column): Label[] => {
        const below = block.rows.flatMap((row) => idsInCell(row[column]));
        if (text === "") return [];
        return [below.length === 0 ? { text, of: "words", below: idsIn(block) } : { text, of: "column", below }];
      });
      const rows = block.rows.flatMap(([first, ...cells]): Label[] =>
        isRowLabel(first) ? [{ text: first, of: "row", below: cells.flatMap(idsInCell) }] : [],
      );
      return [...columns, ...rows];
    }
    case "code":
    case "excerpt":
      return [];
  }
}

function idsInCell(cell: Cell | undefined): string[] {
  return typeof cell === "string" ? [] : (cell ?? []);
}

/** The first cell of a row, when it is plain words. */
export function isRowLabel(cell: Cell | undefined): cell is string {
  return typeof cell === "string" && cell !== "" && cell !== "–";
}
