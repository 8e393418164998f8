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

export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "1 step", "3 steps". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A stored time as people read it: "2026-01-31 12:03:04 UTC". */
export function moment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`;
}

/** "812 B", "3.4 MB": in powers of 1000. */
export function fileSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 999.5 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
