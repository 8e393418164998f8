// Lays out text for people: columns, times, sizes, counts.
import { shownLine } from "../../kernel/shown-text.ts";

/** Rows under each other in columns; a cell may hold colours, which take no width. */
export function columns(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, Bun.stringWidth(cell))));
  return rows
    .map(
      (row) =>
        `${indent}${row
          .map((cell, index) => pad(cell, widths[index] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - Bun.stringWidth(cell)));
}

/** One line of text from outside, cut to a width. */
export function oneLine(text: string, width: number): string {
  const flat = shownLine(text);
  if (Bun.stringWidth(flat) <= width) return flat;
  const most = Math.max(0, width - 3);
  const cut = Bun.sliceAnsi(flat, 0, most);
  // A character of two columns that begins in the last one is not cut off by that.
  return `${Bun.stringWidth(cut) <= most ? cut : Bun.sliceAnsi(flat, 0, most - 1)}...`;
}
