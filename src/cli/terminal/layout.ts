// Lays out text for people: columns, paragraphs, and names with their meanings. Without a terminal no line is broken.
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
  // sliceAnsi keeps a wide character that begins in the last column.
  return `${Bun.stringWidth(cut) <= most ? cut : Bun.sliceAnsi(flat, 0, most - 1)}...`;
}

/** Prose in longer lines is hard to read, however wide the terminal. */
export const MAX_WIDTH = 100;

/** The least width for the text next to a name; with less room the text goes below the name. */
const LEAST_MEANING = 34;
const INDENT = "  ";

/** Breaks text into lines of at most this width. A longer word gets a line of its own. Colours take no width. */
export function wrappedLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && Bun.stringWidth(`${line} ${word}`) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Joins parts on as few lines as possible; a part that is too long is cut. */
export function joinedLines(parts: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last}${between}${part}`;
    if (last !== undefined && Bun.stringWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(oneLine(part, width));
  }
  return lines;
}

/** `hanging` is put before each line but the first. */
export function paragraph(text: string, width: number | null, indent = "", hanging = indent): string {
  if (width === null) return indent + text;
  const lines = wrappedLines(text, width - hanging.length);
  return lines.map((line, index) => (index === 0 ? indent : hanging) + line).join("\n");
}

/** A line that is too long continues below itself, indented deeper. */
export function wrappedBehind(line: string, width: number | null): string {
  const indent = " ".repeat(line.search(/[^ ]|$/));
  return paragraph(line.slice(indent.length), width, indent, `${indent}  `);
}

/** Names under each other, each with its meaning next to it, or below it where there is too little room. */
export function meanings(rows: readonly (readonly [string, string])[], width: number | null): string {
  const longest = Math.max(...rows.map(([name]) => name.length));
  const hanging = " ".repeat(INDENT.length + longest + 2);
  if (width === null || width - hanging.length >= LEAST_MEANING)
    return rows.map(([name, text]) => paragraph(text, width, `${INDENT}${name.padEnd(longest)}  `, hanging)).join("\n");
  const below = INDENT.repeat(3);
  return rows.map(([name, text]) => `${INDENT}${name}\n${paragraph(text, width, below)}`).join("\n");
}

/** The lines of `meanings`, without the names that have no value. */
export function pairs(rows: readonly (readonly [string, string | null | undefined])[], width: number | null): string {
  const shown = rows.flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, value] as const],
  );
  return shown.length === 0 ? "" : `${meanings(shown, width)}\n`;
}
